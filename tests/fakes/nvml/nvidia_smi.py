"""The part of nvidia-smi that changes a GPU: -i UUID, then one of -lgc, -rgc, -lmc, -rmc, -pl, -pm and -c."""

import sys

import pynvml

option, *values = sys.argv[3:]
pynvml.nvmlInit()
gpu = pynvml.nvmlDeviceGetHandleByUUID(sys.argv[2])
if option in ("-lgc", "-lmc"):
    low, high = map(int, values[0].split(","))
    (pynvml.nvmlDeviceSetGpuLockedClocks if option == "-lgc" else pynvml.nvmlDeviceSetMemoryLockedClocks)(
        gpu, low, high
    )
elif option == "-rgc":
    pynvml.nvmlDeviceResetGpuLockedClocks(gpu)
elif option == "-rmc":
    pynvml.nvmlDeviceResetMemoryLockedClocks(gpu)
elif option == "-pl":
    pynvml.nvmlDeviceSetPowerManagementLimit(gpu, round(float(values[0]) * 1000))
elif option == "-pm":
    pynvml.nvmlDeviceSetPersistenceMode(gpu, int(values[0]))
elif option == "-c":
    pynvml.nvmlDeviceSetComputeMode(gpu, int(values[0]))
else:
    sys.exit(2)
