#!/usr/bin/env bash
# Debian 12's OpenCV 4.6 archives (libopencv-imgproc-dev, libopencv-core-dev) cannot be linked into a program that needs no
# shared library except the C and C++ runtime.
#
# Expected: a -dev package ships `libopencv_core.a` so that programs can be linked statically; its dependencies have archives too,
#   and a program that only warps a picture needs few of them.
# Actual: such a program needs TBB's runtime, LAPACK, BLAS and GLX. Debian has no archive of TBB or GLX. Three object files of the
#   archive refer to them (parallel, hal_internal, opengl). The first two have a short, documented interface: a program that
#   defines it itself links.
# Effect here: the program has to run without installing anything beside it, so it defines these few functions
#   (src/vision/opencv_alone.cpp).
set -euo pipefail

install() { apt-get install -y -q --no-install-recommends "$@"; }
dpkg -s libopencv-imgproc-dev g++ >/dev/null 2>&1 ||
    { apt-get update -q && install libopencv-imgproc-dev g++; } >/dev/null
version=$(dpkg-query -W -f '${Version}' libopencv-core-dev)
echo "libopencv-core-dev $version"
[[ $version == 4.6.0+* ]] || { echo "not version 4.6.0" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >warp.cpp <<'CPP'
#include <opencv2/imgproc.hpp>
int main() {
    cv::Mat from(64, 64, CV_8UC3, cv::Scalar(1, 2, 3)), to;
    cv::Point2f a[4] = {{0, 0}, {9, 0}, {9, 9}, {0, 9}}, b[4] = {{0, 0}, {8, 0}, {8, 8}, {0, 9}};
    cv::warpPerspective(from, to, cv::getPerspectiveTransform(a, b), cv::Size(4, 4));
    return to.at<cv::Vec3b>(0, 0)[0] == 1 ? 0 : 1;
}
CPP
g++ -I/usr/include/opencv4 -c warp.cpp
if g++ warp.o -Wl,--gc-sections -l:libopencv_imgproc.a -l:libopencv_core.a -l:libz.a 2>messages; then
    echo "it links without substitutes" >&2
    exit 1
fi
missing() { { grep -o "undefined reference to .$1[^ (']*" messages || true; } | sort -u | wc -l; }
tbb=$(missing tbb::) lapack=$(missing '[ds]ge') blas=$(missing cblas_) glx=$(missing glX)
echo "missing functions: TBB $tbb, LAPACK $lapack (dge*, sge*), BLAS $blas, GLX $glx"
((tbb > 10 && lapack > 5 && blas > 2 && glx > 0))

archive=$(find "$(dirname "$(gcc -print-file-name=libopencv_core.a)")" -maxdepth 1 -name 'libtbb*.a' | wc -l)
echo "archives of TBB in libtbb-dev $(dpkg-query -W -f '${Version}' libtbb-dev): $archive"
((archive == 0))
files=$(nm -A --undefined-only "$(gcc -print-file-name=libopencv_core.a)" 2>/dev/null |
    grep -E '_ZN3tbb|cblas_|[ds]ge(sv|ls|trf|sdd)_' | cut -d : -f 2 | sort -u | tr '\n' ' ')
echo "object files that refer to TBB, LAPACK or BLAS: $files"
[[ $files == "hal_internal.cpp.o parallel.cpp.o parallel_tbb.cpp.o " ]]
