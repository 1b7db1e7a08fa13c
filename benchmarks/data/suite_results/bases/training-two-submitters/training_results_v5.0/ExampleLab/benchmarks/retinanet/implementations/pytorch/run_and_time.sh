#!/bin/bash
set -e
source config_EL-R8_8xH100-SXM-80GB.sh
sync && sudo /sbin/sysctl vm.drop_caches=3
srun --nodes="${NNODES}" --ntasks-per-node="${NGPU}" python train.py --seed "${SEED:-$RANDOM}"
