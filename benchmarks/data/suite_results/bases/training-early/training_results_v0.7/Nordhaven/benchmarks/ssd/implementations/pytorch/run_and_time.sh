#!/bin/bash
set -e
source config_nh8v_ngc20.06_pytorch.sh
sync && sudo /sbin/sysctl vm.drop_caches=3
srun --nodes="${NNODES}" --ntasks-per-node="${NGPU}" python train.py --seed "${SEED:-$RANDOM}"
