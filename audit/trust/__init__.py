"""Trust: keys, envelopes, trust files, the ledger and the verification of a study."""
