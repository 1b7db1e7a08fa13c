#!/bin/bash
set -e
source config_aurelia_n32x4_pytorch.sh
sync && sudo /sbin/sysctl vm.drop_caches=3
srun --nodes="${NNODES}" --ntasks-per-node="${NGPU}" python train.py --seed "${SEED:-$RANDOM}"
