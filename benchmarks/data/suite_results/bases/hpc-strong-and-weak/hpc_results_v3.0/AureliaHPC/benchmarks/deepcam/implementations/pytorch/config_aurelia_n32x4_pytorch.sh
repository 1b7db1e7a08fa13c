export NNODES=32
export NGPU=4
export LOCAL_BATCH=4
export GLOBAL_BATCH=512
export LR=0.0035
export TARGET_IOU=0.82
