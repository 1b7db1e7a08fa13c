/* A management library of GPUs that are not there, for tests: compiled by them and loaded by nvidia-ml-py as its own.

   FAKE_NVML_STATE  file of the devices' state, shared by all processes; made where it is missing
   FAKE_NVML_GPUS   number of devices, 8 where absent
   FAKE_NVML_LOG    file that takes a line per change: process, function, device, two arguments
   FAKE_NVML_DENY   set: every change is refused for want of permission
   FAKE_NVML_FAIL   "function=code,...": what these functions return
   FAKE_NVML_SLOW_US  time that each change takes, in microseconds

   The state is a table of 64-bit numbers, one row a device, one column a name of `enum field`; tests read and write it. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum field {
    F_index,
    F_power_limit_mw,
    F_persistence_mode,
    F_compute_mode,
    F_ecc,
    F_mig,
    F_locked_sm_mhz,
    F_locked_memory_mhz,
    F_ignores_lock,      /* the lock is accepted and has no effect */
    F_busy,              /* a kernel runs */
    F_throttled_mhz,     /* the SM clock stays below this, where it is not 0 */
    F_reasons,           /* added to the clock event reasons */
    F_power_cap_percent, /* share of all time in which each counter runs */
    F_thermal_percent,
    F_power_brake_percent,
    F_energy_mode,       /* 0 counts, 1 sticks, 2 runs backwards, 3 is not supported, 4 starts again from 0 each second */
    F_process,           /* process id that computes on the device, 0 for none */
    F_changes,           /* number of changes so far */
    FIELDS
};

enum { OK = 0, UNINITIALIZED = 1, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NO_PERMISSION = 4, NOT_FOUND = 6, TOO_SMALL = 7 };
enum { LIMIT = 64, MAX_SM = 1980, MAX_MEMORY = 2619, IDLE_SM = 345, STEP = 15, DEFAULT_MW = 700000, MIN_MW = 200000 };

typedef struct {
    uint64_t at[FIELDS];
} device;

static device *devices;
static unsigned count;

static unsigned wanted(void) {
    const char *text = getenv("FAKE_NVML_GPUS");
    unsigned number = text ? (unsigned)atoi(text) : 8;
    return number < LIMIT ? number : LIMIT;
}

static int map(void) {
    const char *path = getenv("FAKE_NVML_STATE");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0) return NOT_FOUND;
    flock(file, LOCK_EX);
    size_t size = sizeof(device) * LIMIT;
    int fresh = lseek(file, 0, SEEK_END) < (off_t)size;
    if (fresh && ftruncate(file, (off_t)size)) return NOT_FOUND;
    devices = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (devices == MAP_FAILED) return NOT_FOUND;
    for (unsigned i = 0; fresh && i < LIMIT; i++) {
        devices[i].at[F_index] = i;
        devices[i].at[F_power_limit_mw] = DEFAULT_MW;
        devices[i].at[F_ecc] = 1;
    }
    flock(file, LOCK_UN); /* closing does not: the mapping keeps the file open */
    close(file);
    return OK;
}

static int failing(const char *function) {
    const char *list = getenv("FAKE_NVML_FAIL");
    char key[128];
    snprintf(key, sizeof key, "%s=", function);
    const char *found = list ? strstr(list, key) : NULL;
    return found ? atoi(found + strlen(key)) : OK;
}

static int change(const char *function, device *d, enum field field, uint64_t value, uint64_t other) {
    int refusal = failing(function);
    if (refusal) return refusal;
    if (getenv("FAKE_NVML_DENY")) return NO_PERMISSION;
    const char *log = getenv("FAKE_NVML_LOG");
    int file = log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file >= 0) {
        dprintf(file, "%d %s %u %llu %llu\n", getpid(), function, (unsigned)d->at[F_index], (unsigned long long)value,
                (unsigned long long)other);
        close(file);
    }
    const char *slow = getenv("FAKE_NVML_SLOW_US");
    if (slow) usleep((useconds_t)atoi(slow));
    d->at[field] = value;
    d->at[F_changes]++;
    return OK;
}

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

#define ANSWER(function, out, value)                     \
    do {                                                 \
        int refusal_ = failing(function);                \
        if (refusal_) return refusal_;                   \
        *(out) = (value);                                \
        return OK;                                       \
    } while (0)

int nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    int refusal = failing("nvmlInitWithFlags");
    if (refusal) return refusal;
    count = wanted();
    return devices ? OK : map();
}
int nvmlInit_v2(void) { return nvmlInitWithFlags(0); }
int nvmlShutdown(void) { return OK; }
const char *nvmlErrorString(int code) {
    return code == NOT_SUPPORTED ? "Not Supported" : code == NO_PERMISSION ? "Insufficient Permissions" : "Fake error";
}
int nvmlSystemGetDriverVersion(char *out, unsigned size) { return snprintf(out, size, "580.95.05") < 0; }
int nvmlSystemGetNVMLVersion(char *out, unsigned size) { return snprintf(out, size, "13.580.95.05") < 0; }
int nvmlSystemGetCudaDriverVersion_v2(int *out) { ANSWER("nvmlSystemGetCudaDriverVersion_v2", out, 13000); }
int nvmlSystemGetCudaDriverVersion(int *out) { return nvmlSystemGetCudaDriverVersion_v2(out); }
int nvmlDeviceGetCount_v2(unsigned *out) {
    if (!devices) return UNINITIALIZED;
    ANSWER("nvmlDeviceGetCount_v2", out, count);
}
int nvmlDeviceGetHandleByIndex_v2(unsigned i, device **out) {
    if (!devices) return UNINITIALIZED;
    if (i >= count) return INVALID_ARGUMENT;
    ANSWER("nvmlDeviceGetHandleByIndex_v2", out, &devices[i]);
}
int nvmlDeviceGetUUID(device *d, char *out, unsigned size) {
    return snprintf(out, size, "GPU-00000000-0000-0000-0000-%012u", (unsigned)d->at[F_index]) < 0;
}
int nvmlDeviceGetHandleByUUID(const char *uuid, device **out) {
    for (unsigned i = 0; devices && i < count; i++) {
        char own[64];
        nvmlDeviceGetUUID(&devices[i], own, sizeof own);
        if (!strcmp(own, uuid)) ANSWER("nvmlDeviceGetHandleByUUID", out, &devices[i]);
    }
    return NOT_FOUND;
}
int nvmlDeviceGetIndex(device *d, unsigned *out) { ANSWER("nvmlDeviceGetIndex", out, (unsigned)d->at[F_index]); }
int nvmlDeviceGetName(device *d, char *out, unsigned size) {
    (void)d;
    return snprintf(out, size, "NVIDIA H200 (fake)") < 0;
}
int nvmlDeviceGetVbiosVersion(device *d, char *out, unsigned size) {
    (void)d;
    return snprintf(out, size, "96.00.99.00.01") < 0;
}
int nvmlDeviceGetCudaComputeCapability(device *d, int *major, int *minor) {
    (void)d;
    *minor = 0;
    ANSWER("nvmlDeviceGetCudaComputeCapability", major, 9);
}

/* What can be changed. */
int nvmlDeviceSetPersistenceMode(device *d, int on) {
    return change("nvmlDeviceSetPersistenceMode", d, F_persistence_mode, (uint64_t)on, 0);
}
int nvmlDeviceGetPersistenceMode(device *d, int *out) {
    ANSWER("nvmlDeviceGetPersistenceMode", out, (int)d->at[F_persistence_mode]);
}
int nvmlDeviceSetComputeMode(device *d, int mode) {
    return change("nvmlDeviceSetComputeMode", d, F_compute_mode, (uint64_t)mode, 0);
}
int nvmlDeviceGetComputeMode(device *d, int *out) { ANSWER("nvmlDeviceGetComputeMode", out, (int)d->at[F_compute_mode]); }
int nvmlDeviceSetGpuLockedClocks(device *d, unsigned low, unsigned high) {
    return change("nvmlDeviceSetGpuLockedClocks", d, F_locked_sm_mhz, high, low);
}
int nvmlDeviceResetGpuLockedClocks(device *d) {
    return change("nvmlDeviceResetGpuLockedClocks", d, F_locked_sm_mhz, 0, 0);
}
int nvmlDeviceSetMemoryLockedClocks(device *d, unsigned low, unsigned high) {
    return change("nvmlDeviceSetMemoryLockedClocks", d, F_locked_memory_mhz, high, low);
}
int nvmlDeviceResetMemoryLockedClocks(device *d) {
    return change("nvmlDeviceResetMemoryLockedClocks", d, F_locked_memory_mhz, 0, 0);
}
int nvmlDeviceSetPowerManagementLimit(device *d, unsigned milliwatts) {
    if (milliwatts < MIN_MW || milliwatts > DEFAULT_MW) return INVALID_ARGUMENT;
    return change("nvmlDeviceSetPowerManagementLimit", d, F_power_limit_mw, milliwatts, 0);
}
int nvmlDeviceGetPowerManagementLimit(device *d, unsigned *out) {
    ANSWER("nvmlDeviceGetPowerManagementLimit", out, (unsigned)d->at[F_power_limit_mw]);
}
int nvmlDeviceGetEnforcedPowerLimit(device *d, unsigned *out) {
    ANSWER("nvmlDeviceGetEnforcedPowerLimit", out, (unsigned)d->at[F_power_limit_mw]);
}
int nvmlDeviceGetPowerManagementDefaultLimit(device *d, unsigned *out) {
    (void)d;
    ANSWER("nvmlDeviceGetPowerManagementDefaultLimit", out, DEFAULT_MW);
}
int nvmlDeviceGetPowerManagementLimitConstraints(device *d, unsigned *low, unsigned *high) {
    (void)d;
    *high = DEFAULT_MW;
    ANSWER("nvmlDeviceGetPowerManagementLimitConstraints", low, MIN_MW);
}

/* What can be seen. */
int nvmlDeviceGetClockInfo(device *d, int domain, unsigned *out) {
    if (domain == 2) {
        int held = d->at[F_locked_memory_mhz] && !d->at[F_ignores_lock];
        ANSWER("nvmlDeviceGetClockInfo", out, held ? (unsigned)d->at[F_locked_memory_mhz] : MAX_MEMORY);
    }
    unsigned clock = d->at[F_busy] ? MAX_SM : IDLE_SM;
    if (d->at[F_locked_sm_mhz] && !d->at[F_ignores_lock]) clock = (unsigned)d->at[F_locked_sm_mhz];
    if (d->at[F_throttled_mhz] && clock > d->at[F_throttled_mhz]) clock = (unsigned)d->at[F_throttled_mhz];
    ANSWER("nvmlDeviceGetClockInfo", out, clock);
}
int nvmlDeviceGetMaxClockInfo(device *d, int domain, unsigned *out) {
    (void)d;
    ANSWER("nvmlDeviceGetMaxClockInfo", out, domain == 2 ? MAX_MEMORY : MAX_SM);
}
int nvmlDeviceGetSupportedMemoryClocks(device *d, unsigned *number, unsigned *clocks) {
    (void)d;
    unsigned room = *number;
    *number = 2;
    if (room < 2 || !clocks) return TOO_SMALL;
    clocks[0] = MAX_MEMORY;
    clocks[1] = 1593;
    return failing("nvmlDeviceGetSupportedMemoryClocks");
}
int nvmlDeviceGetSupportedGraphicsClocks(device *d, unsigned memory, unsigned *number, unsigned *clocks) {
    (void)d;
    (void)memory;
    unsigned room = *number, needed = (MAX_SM - IDLE_SM) / STEP + 1;
    *number = needed;
    if (room < needed || !clocks) return TOO_SMALL;
    for (unsigned i = 0; i < needed; i++) clocks[i] = MAX_SM - STEP * i;
    return failing("nvmlDeviceGetSupportedGraphicsClocks");
}
int nvmlDeviceGetCurrentClocksEventReasons(device *d, unsigned long long *out) {
    unsigned long long mask = d->at[F_reasons];
    if (!d->at[F_busy]) mask |= 0x1;
    if (d->at[F_locked_sm_mhz]) mask |= 0x2;
    ANSWER("nvmlDeviceGetCurrentClocksEventReasons", out, mask);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(device *d, unsigned long long *out) {
    return nvmlDeviceGetCurrentClocksEventReasons(d, out);
}

static uint64_t slowed_ns(device *d, enum field percent) { return now_ns() / 100 * d->at[percent]; }

typedef struct {
    unsigned long long reference_time, violation_time;
} violation;
int nvmlDeviceGetViolationStatus(device *d, int policy, violation *out) {
    int refusal = failing("nvmlDeviceGetViolationStatus");
    if (refusal) return refusal;
    if (policy > 1) return NOT_SUPPORTED;
    out->reference_time = now_ns() / 1000;
    out->violation_time = slowed_ns(d, policy == 0 ? F_power_cap_percent : F_thermal_percent);
    return OK;
}

static int energy_mj(device *d, unsigned long long *out) {
    unsigned long long counted = now_ns() / 1000000 / 100 * 100 * 250; /* 250 W, a new value each 100 ms */
    switch (d->at[F_energy_mode]) {
    case 1: *out = 123456; return OK;
    case 2: *out = ~0ull / 2 - counted; return OK;
    case 3: return NOT_SUPPORTED;
    case 4: *out = counted % 250000; return OK;
    default: *out = counted; return OK;
    }
}
int nvmlDeviceGetTotalEnergyConsumption(device *d, unsigned long long *out) {
    int refusal = failing("nvmlDeviceGetTotalEnergyConsumption");
    return refusal ? refusal : energy_mj(d, out);
}
int nvmlDeviceGetPowerUsage(device *d, unsigned *out) { ANSWER("nvmlDeviceGetPowerUsage", out, d->at[F_busy] ? 250000 : 70000); }

typedef union {
    double number;
    unsigned small;
    unsigned long long large;
} value;
typedef struct {
    unsigned field, scope;
    long long timestamp, latency_us;
    unsigned type, code;
    value value;
} field_value;
int nvmlDeviceGetFieldValues(device *d, int number, field_value *values) {
    int refusal = failing("nvmlDeviceGetFieldValues");
    if (refusal) return refusal;
    for (int i = 0; i < number; i++) {
        values[i].code = OK;
        values[i].type = 3; /* unsigned long long */
        values[i].timestamp = (long long)(now_ns() / 1000);
        switch (values[i].field) {
        case 74: values[i].value.large = slowed_ns(d, F_power_cap_percent); break;
        case 75:
        case 269: values[i].value.large = slowed_ns(d, F_thermal_percent); break;
        case 76:
        case 270: values[i].value.large = 0; break;
        case 271: values[i].value.large = slowed_ns(d, F_power_brake_percent); break;
        case 83: values[i].code = (unsigned)energy_mj(d, &values[i].value.large); break;
        case 185:
        case 186:
            values[i].type = 1; /* unsigned */
            values[i].value.small = d->at[F_busy] ? 250000 : 70000;
            break;
        default: values[i].code = NOT_SUPPORTED;
        }
    }
    return OK;
}

typedef struct {
    unsigned gpu, memory;
} utilization;
int nvmlDeviceGetUtilizationRates(device *d, utilization *out) {
    utilization found = {d->at[F_busy] ? 97 : 0, d->at[F_busy] ? 40 : 0};
    ANSWER("nvmlDeviceGetUtilizationRates", out, found);
}
typedef struct {
    unsigned long long total, free, used;
} memory;
int nvmlDeviceGetMemoryInfo(device *d, memory *out) {
    (void)d;
    memory found = {150754820096ull, 149681078272ull, 1ull << 30};
    ANSWER("nvmlDeviceGetMemoryInfo", out, found);
}
int nvmlDeviceGetTemperature(device *d, int sensor, unsigned *out) {
    (void)sensor;
    ANSWER("nvmlDeviceGetTemperature", out, d->at[F_thermal_percent] ? 92 : 45);
}
int nvmlDeviceGetMigMode(device *d, unsigned *now, unsigned *later) {
    *later = (unsigned)d->at[F_mig];
    ANSWER("nvmlDeviceGetMigMode", now, (unsigned)d->at[F_mig]);
}
int nvmlDeviceGetEccMode(device *d, int *now, int *later) {
    *later = (int)d->at[F_ecc];
    ANSWER("nvmlDeviceGetEccMode", now, (int)d->at[F_ecc]);
}

typedef struct {
    unsigned pid;
    unsigned long long used;
    unsigned gpu_instance, compute_instance;
} process;
int nvmlDeviceGetComputeRunningProcesses_v3(device *d, unsigned *number, process *found) {
    unsigned room = *number;
    *number = d->at[F_process] ? 1 : 0;
    if (room < *number || (*number && !found)) return TOO_SMALL;
    if (*number) found[0] = (process){(unsigned)d->at[F_process], 1ull << 30, ~0u, ~0u};
    return failing("nvmlDeviceGetComputeRunningProcesses_v3");
}
int nvmlDeviceGetComputeRunningProcesses_v2(device *d, unsigned *number, process *found) {
    return nvmlDeviceGetComputeRunningProcesses_v3(d, number, found);
}
int nvmlDeviceGetMPSComputeRunningProcesses_v3(device *d, unsigned *number, process *found) {
    (void)d;
    (void)found;
    ANSWER("nvmlDeviceGetMPSComputeRunningProcesses_v3", number, 0);
}

typedef struct {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char bus_id[32];
} pci;
int nvmlDeviceGetPciInfo_v3(device *d, pci *out) {
    memset(out, 0, sizeof *out);
    out->bus = 0x10 + (unsigned)d->at[F_index];
    snprintf(out->bus_id, sizeof out->bus_id, "00000000:%02X:00.0", out->bus);
    return failing("nvmlDeviceGetPciInfo_v3");
}
int nvmlDeviceGetCurrPcieLinkGeneration(device *d, unsigned *out) {
    (void)d;
    ANSWER("nvmlDeviceGetCurrPcieLinkGeneration", out, 5);
}
int nvmlDeviceGetMaxPcieLinkGeneration(device *d, unsigned *out) {
    (void)d;
    ANSWER("nvmlDeviceGetMaxPcieLinkGeneration", out, 5);
}
int nvmlDeviceGetCurrPcieLinkWidth(device *d, unsigned *out) {
    (void)d;
    ANSWER("nvmlDeviceGetCurrPcieLinkWidth", out, 16);
}
int nvmlDeviceGetMaxPcieLinkWidth(device *d, unsigned *out) {
    (void)d;
    ANSWER("nvmlDeviceGetMaxPcieLinkWidth", out, 16);
}
int nvmlDeviceGetNvLinkState(device *d, unsigned link, unsigned *out) {
    (void)d;
    if (link >= 18) return INVALID_ARGUMENT;
    ANSWER("nvmlDeviceGetNvLinkState", out, 1);
}
int nvmlDeviceGetNvLinkVersion(device *d, unsigned link, unsigned *out) {
    (void)d;
    (void)link;
    ANSWER("nvmlDeviceGetNvLinkVersion", out, 4);
}
int nvmlDeviceGetTopologyCommonAncestor(device *one, device *other, int *out) {
    int same = one->at[F_index] / 4 == other->at[F_index] / 4;
    ANSWER("nvmlDeviceGetTopologyCommonAncestor", out, same ? 40 : 50);
}
