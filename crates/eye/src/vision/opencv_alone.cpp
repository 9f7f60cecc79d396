// Stands in for two object files of OpenCV's core, so that the program links core and imgproc without the shared libraries that
// Debian's build of them needs: TBB (parallel.cpp), LAPACK and BLAS (hal_internal.cpp), and GLX. Linked before OpenCV's archives,
// which then give neither of the two files. Signatures are those of OpenCV 4.

#include <opencv2/core/hal/interface.h>
#include <opencv2/core/utility.hpp>

// OpenCV works on the thread that calls it: pictures and crops are shared out among threads by Tilelens itself.
namespace cv {
ParallelLoopBody::~ParallelLoopBody() = default;

void parallel_for_(const Range& range, const ParallelLoopBody& body, double) {
    if (range.size() > 0) body(range);
}

int getNumThreads() { return 1; }
int getNumberOfCPUs() { return 1; }
int getThreadNum() { return 0; }
void setNumThreads(int) {}
const char* currentParallelFramework() { return nullptr; }
}  // namespace cv

// OpenCV asks these for large matrices, and computes by itself where it is answered that they are not implemented.
#define NOT_IMPLEMENTED { return CV_HAL_ERROR_NOT_IMPLEMENTED; }
#define LAPACK(T, BITS)                                                                                                        \
    int lapack_LU##BITS##f(T*, size_t, int, T*, size_t, int, int*) NOT_IMPLEMENTED                                             \
    int lapack_Cholesky##BITS##f(T*, size_t, int, T*, size_t, int, bool*) NOT_IMPLEMENTED                                      \
    int lapack_SVD##BITS##f(T*, size_t, T*, T*, size_t, T*, size_t, int, int, int) NOT_IMPLEMENTED                             \
    int lapack_QR##BITS##f(T*, size_t, int, int, int, T*, size_t, T*, int*) NOT_IMPLEMENTED                                    \
    int lapack_gemm##BITS##f(const T*, size_t, const T*, size_t, T, const T*, size_t, T, T*, size_t, int, int, int, int)       \
        NOT_IMPLEMENTED                                                                                                        \
    int lapack_gemm##BITS##fc(const T*, size_t, const T*, size_t, T, const T*, size_t, T, T*, size_t, int, int, int, int)      \
        NOT_IMPLEMENTED
LAPACK(float, 32)
LAPACK(double, 64)

// There is no OpenGL: OpenCV asks this for each of its functions, and reports those that it does not get. Hidden, so that nobody
// else gets it.
extern "C" __attribute__((visibility("hidden"))) void* glXGetProcAddressARB(const unsigned char*) { return nullptr; }
