#!/bin/bash
set -e
source config_fjord_2x8_H100.sh
sync && sudo /sbin/sysctl vm.drop_caches=3
srun --nodes="${NNODES}" --ntasks-per-node="${NGPU}" python train.py --seed "${SEED:-$RANDOM}"
