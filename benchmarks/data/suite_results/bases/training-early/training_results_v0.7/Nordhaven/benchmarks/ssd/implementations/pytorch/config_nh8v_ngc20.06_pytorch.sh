export NNODES=1
export NGPU=8
export BATCHSIZE=96
export LR=0.0024
export WARMUP=650
export TARGET=0.23
