/* A camera for tests, where there is none: preloaded into a process, it puts /dev/video<N> there.
 *
 * It answers the V4L2 calls that a program makes to stream by memory mapping. Each open of the device
 * is a memory file of its own, so that mapping works as ever; poll() waits for the next picture as a
 * driver does.
 *
 *   FAKE_CAMERA          file of settings, read again whenever it matters: lines of a word and a value
 *     mode MJPG 640x480@30        offers this format, size and rate (or 30000/1001); several lines
 *     range YUYV 48x32-1920x1080+8   offers a range of sizes in steps (1: continuous) and any rate up to 60
 *     now H264 640x480@30         the mode in which another program has left it; else the first offered
 *     file FILE                   what compressed formats show; several lines take turns
 *     state STATE        run      pictures come
 *                        gone     unplugged: no such device
 *                        hang     no picture comes, and nobody is told
 *                        cut      only the first half of each picture is there
 *                        noise    random bytes
 *                        busy     another program has it
 * Build: cc -shared -fPIC -o fake_camera.so fake_camera.c -ldl -lpthread
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define DEVICE "/dev/video0"
enum { BUFFERS = 8, MODES = 8, PICTURES = 8, HANDLES = 16, WORD = 512 };

struct mode {
    char code[5];
    unsigned width, height, frames, seconds;
    unsigned most_width, most_height, step;   /* of a range, else 0 */
};
struct settings {
    char state[WORD];
    struct mode modes[MODES], now;
    int mode_count;
    char pictures[PICTURES][WORD];
    int picture_count;
};
struct handle {
    int fd, streaming, buffers, waits;
    struct mode mode;
    size_t length;           /* of a buffer */
    unsigned char *memory;
    int queue[BUFFERS], queued;
    long long due;           /* when the next picture is there, in ns */
    unsigned number;
};

static struct handle handles[HANDLES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The C library's own function of this name. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static struct settings settings(void) {
    struct settings all = {.state = "gone"};
    const char *path = getenv("FAKE_CAMERA");
    FILE *file = path ? fopen(path, "r") : NULL;
    char word[16], value[WORD];
    while (file && fscanf(file, "%15s %511[^\n]", word, value) == 2) {
        if (!strcmp(word, "state")) strcpy(all.state, value);
        if (!strcmp(word, "file") && all.picture_count < PICTURES)
            strcpy(all.pictures[all.picture_count++], value);
        struct mode mode = {.frames = 30, .seconds = 1};
        if (!strcmp(word, "mode") || !strcmp(word, "now")) {
            int read = sscanf(value, "%4c %ux%u@%u/%u", mode.code, &mode.width, &mode.height,
                              &mode.frames, &mode.seconds);
            if (read >= 4 && word[0] == 'n') all.now = mode;
            if (read >= 4 && word[0] == 'm' && all.mode_count < MODES) all.modes[all.mode_count++] = mode;
        }
        if (!strcmp(word, "range") && all.mode_count < MODES
            && sscanf(value, "%4c %ux%u-%ux%u+%u", mode.code, &mode.width, &mode.height,
                      &mode.most_width, &mode.most_height, &mode.step) == 6)
            all.modes[all.mode_count++] = mode;
    }
    if (file) fclose(file);
    return all;
}

static int in_state(const char *state) {
    struct settings all = settings();
    return !strcmp(all.state, state);
}

static struct handle *handle_of(int fd) {
    for (int k = 0; k < HANDLES; k++)
        if (handles[k].fd == fd && fd > 0) return &handles[k];
    return NULL;
}

static unsigned code(const struct mode *mode) {
    return v4l2_fourcc(mode->code[0], mode->code[1], mode->code[2], mode->code[3]);
}

static int is(const struct mode *mode, const char *name) { return !strcmp(mode->code, name); }

static int compressed(const struct mode *mode) {
    return is(mode, "MJPG") || is(mode, "JPEG") || is(mode, "H264");
}

/* Lines of YUYV are filled up to a whole number of 64 bytes, as some drivers do. */
static unsigned stride(const struct mode *mode) {
    if (is(mode, "YUYV")) return (mode->width * 2 + 63) / 64 * 64;
    if (is(mode, "UYVY")) return mode->width * 2;
    return compressed(mode) ? 0 : mode->width;
}

static size_t picture_size(const struct mode *mode) {
    size_t pixels = (size_t)mode->width * mode->height;
    if (is(mode, "YUYV")) return (size_t)stride(mode) * mode->height;
    if (is(mode, "GREY")) return pixels;
    return is(mode, "NV12") || is(mode, "YU12") ? pixels + pixels / 2 : pixels * 2;
}

static void describe(const struct mode *mode, struct v4l2_pix_format *pix) {
    memset(pix, 0, sizeof *pix);
    pix->width = mode->width;
    pix->height = mode->height;
    pix->pixelformat = code(mode);
    pix->field = V4L2_FIELD_NONE;
    pix->bytesperline = stride(mode);
    pix->sizeimage = picture_size(mode);
    pix->colorspace = V4L2_COLORSPACE_SRGB;
}

static unsigned side(unsigned wanted, unsigned least, unsigned most, unsigned step) {
    unsigned kept = wanted < least ? least : wanted > most ? most : wanted;
    return kept - (kept - least) % step;
}

/* The n-th mode of this format and, where a size is given, of this size. */
static const struct mode *nth(const struct settings *all, unsigned kind, unsigned width,
                              unsigned height, unsigned n) {
    for (int k = 0; k < all->mode_count; k++) {
        const struct mode *mode = &all->modes[k];
        if (code(mode) != kind) continue;
        int same = mode->step ? side(width, mode->width, mode->most_width, mode->step) == width
                                    && side(height, mode->height, mode->most_height, mode->step) == height
                              : mode->width == width && mode->height == height;
        if ((!width || same) && n-- == 0) return mode;
    }
    return NULL;
}

/* The mode that a driver takes where this format and size are asked for. */
static struct mode nearest(const struct settings *all, const struct handle *handle,
                           const struct v4l2_pix_format *pix) {
    const struct mode *mode = nth(all, pix->pixelformat, pix->width, pix->height, 0);
    if (!mode) mode = nth(all, pix->pixelformat, 0, 0, 0);
    if (!mode) return handle->mode;
    struct mode taken = *mode;
    if (mode->step) {
        taken.width = side(pix->width, mode->width, mode->most_width, mode->step);
        taken.height = side(pix->height, mode->height, mode->most_height, mode->step);
    }
    return taken;
}

/* Puts a picture into a buffer; what is left of the buffer keeps what was there before. */
static unsigned fill(struct handle *handle, unsigned char *buffer) {
    struct settings all = settings();
    size_t used = picture_size(&handle->mode);
    if (!strcmp(all.state, "noise")) {
        for (size_t k = 0; k < used; k++) buffer[k] = rand();
        return used;
    }
    const struct mode *mode = &handle->mode;
    if (compressed(mode)) {
        memset(buffer, 0xAB, handle->length);
        if (!all.picture_count) return 0;
        FILE *file = fopen(all.pictures[handle->number % all.picture_count], "rb");
        used = file ? fread(buffer, 1, handle->length, file) : 0;
        if (file) fclose(file);
    } else {
        /* Dark on the left, bright on the right, without colour. */
        memset(buffer, 128, used);
        int wide = is(mode, "YUYV") || is(mode, "UYVY");
        for (unsigned y = 0; y < mode->height; y++)
            for (unsigned x = 0; x < mode->width; x++) {
                size_t at = (size_t)y * stride(mode) + (wide ? 2 * x + is(mode, "UYVY") : x);
                buffer[at] = x < mode->width / 2 ? 50 : 200;
            }
    }
    if (!strcmp(all.state, "cut")) {
        used /= 2;
        memset(buffer + used, 0xAB, handle->length - used);
    }
    return used;
}

static int request_buffers(struct handle *handle, struct v4l2_requestbuffers *request) {
    if (handle->memory) munmap(handle->memory, handle->length * BUFFERS);
    handle->memory = NULL;
    handle->queued = 0;
    if (request->count > BUFFERS) request->count = BUFFERS;
    handle->buffers = request->count;
    /* Whole pages, and one more: larger than the picture, as with drivers. */
    handle->length = (picture_size(&handle->mode) + 8191) / 4096 * 4096;
    if (!handle->buffers) return 0;
    if (ftruncate(handle->fd, handle->length * BUFFERS)) return ENOMEM;
    void *memory = mmap(NULL, handle->length * BUFFERS, PROT_READ | PROT_WRITE, MAP_SHARED, handle->fd, 0);
    if (memory == MAP_FAILED) return ENOMEM;
    handle->memory = memory;
    return 0;
}

static long long interval(const struct mode *mode) {
    return 1000000000LL * mode->seconds / mode->frames;
}

static int dequeue(struct handle *handle, struct v4l2_buffer *buffer) {
    if (!handle->streaming || !handle->queued) return EINVAL;
    if (now() < handle->due) return EAGAIN;
    int index = handle->queue[0];
    memmove(handle->queue, handle->queue + 1, --handle->queued * sizeof(int));
    long long each = interval(&handle->mode), at = handle->due;
    handle->due = now() > at + each ? now() + each : at + each;
    buffer->bytesused = fill(handle, handle->memory + index * handle->length);
    buffer->index = index;
    buffer->length = handle->length;
    buffer->sequence = handle->number++;
    buffer->flags = V4L2_BUF_FLAG_MAPPED | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    buffer->timestamp.tv_sec = at / 1000000000LL;
    buffer->timestamp.tv_usec = at % 1000000000LL / 1000;
    return 0;
}

/* What the device answers: 0 or an error number. */
static int answer(struct handle *handle, unsigned long request, void *argument) {
    struct settings all = settings();
    if (!strcmp(all.state, "gone")) return ENODEV;
    const struct mode *mode;
    switch (request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *caps = argument;
        memset(caps, 0, sizeof *caps);
        strcpy((char *)caps->driver, "fake");
        strcpy((char *)caps->card, "Camera of the tests");
        strcpy((char *)caps->bus_info, "memory");
        caps->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        caps->capabilities = caps->device_caps | V4L2_CAP_DEVICE_CAPS;
        return 0;
    }
    case VIDIOC_ENUM_FMT: {
        struct v4l2_fmtdesc *format = argument;
        for (int k = 0, n = format->index; k < all.mode_count; k++) {
            /* Each format where it is named first. */
            if (nth(&all, code(&all.modes[k]), 0, 0, 0) != &all.modes[k] || n-- != 0) continue;
            format->pixelformat = code(&all.modes[k]);
            format->flags = compressed(&all.modes[k]) ? V4L2_FMT_FLAG_COMPRESSED : 0;
            strcpy((char *)format->description, all.modes[k].code);
            return 0;
        }
        return EINVAL;
    }
    case VIDIOC_ENUM_FRAMESIZES: {
        struct v4l2_frmsizeenum *size = argument;
        if (!(mode = nth(&all, size->pixel_format, 0, 0, size->index))) return EINVAL;
        if (mode->step) {
            size->type = mode->step == 1 ? V4L2_FRMSIZE_TYPE_CONTINUOUS : V4L2_FRMSIZE_TYPE_STEPWISE;
            size->stepwise = (struct v4l2_frmsize_stepwise){
                mode->width, mode->most_width, mode->step, mode->height, mode->most_height, mode->step};
            return 0;
        }
        size->type = V4L2_FRMSIZE_TYPE_DISCRETE;
        size->discrete.width = mode->width;
        size->discrete.height = mode->height;
        return 0;
    }
    case VIDIOC_ENUM_FRAMEINTERVALS: {
        struct v4l2_frmivalenum *rate = argument;
        if (!(mode = nth(&all, rate->pixel_format, rate->width, rate->height, rate->index)))
            return EINVAL;
        if (mode->step) {
            rate->type = V4L2_FRMIVAL_TYPE_CONTINUOUS;
            rate->stepwise = (struct v4l2_frmival_stepwise){{1, 60}, {1, 1}, {1, 1}};
            return 0;
        }
        rate->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        rate->discrete = (struct v4l2_fract){mode->seconds, mode->frames};
        return 0;
    }
    case VIDIOC_S_FMT: {
        struct v4l2_pix_format *pix = &((struct v4l2_format *)argument)->fmt.pix;
        if (!strcmp(all.state, "busy")) return EBUSY;
        handle->mode = nearest(&all, handle, pix);
        describe(&handle->mode, pix);
        return 0;
    }
    case VIDIOC_G_FMT: {
        struct v4l2_format *format = argument;
        if (format->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
        describe(&handle->mode, &format->fmt.pix);
        return 0;
    }
    case VIDIOC_G_INPUT: *(int *)argument = 0; return 0;
    case VIDIOC_ENUMINPUT: return ((struct v4l2_input *)argument)->index ? EINVAL : 0;
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM: {
        struct v4l2_captureparm *capture = &((struct v4l2_streamparm *)argument)->parm.capture;
        struct v4l2_fract wanted = capture->timeperframe;
        mode = nth(&all, code(&handle->mode), 0, 0, 0);
        int any = request == VIDIOC_S_PARM && mode && mode->step;
        if (any && wanted.numerator && wanted.denominator) {
            handle->mode.frames = wanted.denominator;
            handle->mode.seconds = wanted.numerator;
        }
        memset(capture, 0, sizeof *capture);
        capture->capability = V4L2_CAP_TIMEPERFRAME;
        capture->timeperframe = (struct v4l2_fract){handle->mode.seconds, handle->mode.frames};
        return 0;
    }
    case VIDIOC_REQBUFS: return request_buffers(handle, argument);
    case VIDIOC_QUERYBUF: {
        struct v4l2_buffer *buffer = argument;
        if ((int)buffer->index >= handle->buffers) return EINVAL;
        buffer->length = handle->length;
        buffer->m.offset = buffer->index * handle->length;
        return 0;
    }
    case VIDIOC_QBUF: {
        struct v4l2_buffer *buffer = argument;
        if ((int)buffer->index >= handle->buffers || handle->queued == BUFFERS) return EINVAL;
        handle->queue[handle->queued++] = buffer->index;
        return 0;
    }
    case VIDIOC_DQBUF: return dequeue(handle, argument);
    case VIDIOC_STREAMON:
        handle->streaming = 1;
        handle->due = now() + interval(&handle->mode);
        return 0;
    case VIDIOC_STREAMOFF: handle->streaming = handle->queued = 0; return 0;
    default: return EINVAL;
    }
}

/* Whether a picture is there, waited for no longer than this (less than 0: for ever); -1 once unplugged. */
static int await(struct handle *handle, int timeout) {
    for (long long end = now() + timeout * 1000000LL; timeout < 0 || now() < end; usleep(1000)) {
        if (in_state("gone")) return -1;
        if (!in_state("hang") && now() >= handle->due) return 1;
    }
    return 0;
}

static int control(struct handle *handle, unsigned long request, void *argument) {
    if ((unsigned)request == VIDIOC_DQBUF && handle->waits) await(handle, -1);
    pthread_mutex_lock(&lock);
    int error = answer(handle, (unsigned)request, argument);
    pthread_mutex_unlock(&lock);
    if (error) errno = error;
    return error ? -1 : 0;
}

int ioctl(int fd, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    struct handle *handle = handle_of(fd);
    return handle ? control(handle, request, argument) : REAL(ioctl)(fd, request, argument);
}

/* Some programs make their calls this way. */
long syscall(long number, ...) {
    long a[6];
    va_list rest;
    va_start(rest, number);
    for (int k = 0; k < 6; k++) a[k] = va_arg(rest, long);
    va_end(rest);
    struct handle *handle = number == SYS_ioctl ? handle_of((int)a[0]) : NULL;
    if (handle) return control(handle, a[1], (void *)a[2]);
    static long (*real)(long, ...);
    if (!real) real = REAL(syscall);
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Its declaration says that it only writes to them. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
int poll(struct pollfd *fds, nfds_t count, int timeout) {
    struct handle *handle = count == 1 ? handle_of(fds->fd) : NULL;
    if (!handle) return REAL(poll)(fds, count, timeout);
    int there = await(handle, timeout);
    fds->revents = there < 0 ? POLLERR | POLLHUP : POLLIN;
    return there != 0;
}

static int open_device(int flags) {
    struct settings all = settings();
    if (!strcmp(all.state, "gone") || !all.mode_count) {
        errno = ENOENT;
        return -1;
    }
    pthread_mutex_lock(&lock);
    int fd = memfd_create("fake camera", MFD_CLOEXEC);
    struct handle *handle = NULL;
    for (int k = 0; k < HANDLES && !handle; k++)
        if (handles[k].fd <= 0) handle = &handles[k];
    if (fd >= 0 && handle) {
        struct mode mode = all.now.code[0] ? all.now : all.modes[0];
        if (mode.step) mode = (struct mode){"", mode.width, mode.height, 30, 1, 0, 0, 0};
        *handle = (struct handle){.fd = fd, .mode = mode, .waits = !(flags & O_NONBLOCK)};
    }
    pthread_mutex_unlock(&lock);
    return handle ? fd : -1;
}

#define OPEN(name)                                                     \
    int name(const char *path, int flags, ...) {                       \
        va_list rest;                                                  \
        va_start(rest, flags);                                         \
        mode_t mode = va_arg(rest, mode_t);                            \
        va_end(rest);                                                  \
        if (!strcmp(path, DEVICE)) return open_device(flags);               \
        return REAL(name)(path, flags, mode);                          \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    struct handle *handle = handle_of(fd);
    if (handle) {
        pthread_mutex_lock(&lock);
        if (handle->memory) munmap(handle->memory, handle->length * BUFFERS);
        *handle = (struct handle){0};
        pthread_mutex_unlock(&lock);
    }
    return REAL(close)(fd);
}

/* /dev lists the camera while it is plugged in, and a link without a number as some systems have. */
static DIR *listed;
static int extra;

DIR *opendir(const char *path) {
    DIR *dir = REAL(opendir)(path);
    if (dir && !strcmp(path, "/dev")) {
        listed = dir;
        extra = in_state("gone") ? 2 : 0;
    }
    return dir;
}

struct dirent64 *readdir64(DIR *dir) {
    struct dirent64 *entry = REAL(readdir64)(dir);
    static struct dirent64 added;
    if (entry || dir != listed || extra > 1) return entry;
    memset(&added, 0, sizeof added);
    added.d_ino = 1;
    added.d_type = DT_CHR;
    added.d_reclen = sizeof added;
    strcpy(added.d_name, extra++ ? "video-capture" : DEVICE + 5);
    return &added;
}
