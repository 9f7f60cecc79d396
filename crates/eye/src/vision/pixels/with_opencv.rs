//! Scaling and warping by OpenCV.

use image::RgbImage;
use opencv::{
    boxed_ref::BoxedRef,
    core::{
        BORDER_CONSTANT, BORDER_REPLICATE, Mat, MatTraitConst, MatTraitConstManual, Point2f, Rect,
        Scalar, Size, Vec3b, mean_def,
    },
    imgproc,
};

use super::{CROP, Method, ModelError, Region};
use crate::sight::Corners;

fn failure(error: opencv::Error) -> ModelError {
    ModelError::Run(error.to_string())
}

/// Pixels, RGB, 8 bits: those of a picture without a copy, or its own.
pub(super) struct Image<'p>(BoxedRef<'p, Mat>);

impl<'p> Image<'p> {
    /// The pixels of a picture.
    ///
    /// # Errors
    /// OpenCV refuses the picture.
    pub fn of(picture: &'p RgbImage) -> Result<Self, ModelError> {
        let (width, height) = (picture.width() as i32, picture.height() as i32);
        Mat::new_rows_cols_with_bytes::<Vec3b>(height, width, picture.as_raw())
            .map(Self)
            .map_err(failure)
    }

    /// Pixels across.
    pub fn width(&self) -> i32 {
        self.0.cols()
    }

    /// Pixels down.
    pub fn height(&self) -> i32 {
        self.0.rows()
    }

    /// Its pixels, row after row. Only for an image made by one of the methods below.
    ///
    /// # Errors
    /// OpenCV fails.
    pub fn bytes(&self) -> Result<&[u8], ModelError> {
        self.0.data_bytes().map_err(failure)
    }

    /// A part of it at another size.
    ///
    /// # Errors
    /// OpenCV fails.
    pub fn resized(
        &self,
        part: Region,
        to: [i32; 2],
        method: Method,
    ) -> Result<Image<'static>, ModelError> {
        let method = match method {
            Method::Area => imgproc::INTER_AREA,
            Method::Linear => imgproc::INTER_LINEAR,
            Method::Cubic => imgproc::INTER_CUBIC,
        };
        let mut small = Mat::default();
        let part = self.part(part)?;
        imgproc::resize(&part, &mut small, Size::new(to[0], to[1]), 0.0, 0.0, method)
            .map_err(failure)?;
        Ok(Image(small.into()))
    }

    /// Warped by a matrix of two rows, mixing neighbours; outside of the image it has the mean colour.
    ///
    /// # Errors
    /// OpenCV fails.
    pub fn warped(
        &self,
        matrix: [[f32; 3]; 2],
        size: [i32; 2],
    ) -> Result<Image<'static>, ModelError> {
        let mut to = Mat::default();
        let mut warp = || {
            let mean = mean_def(&self.0)?;
            imgproc::warp_affine(
                &self.0,
                &mut to,
                &Mat::from_slice_2d(&matrix)?,
                Size::new(size[0], size[1]),
                imgproc::INTER_LINEAR,
                BORDER_CONSTANT,
                mean,
            )
        };
        warp().map_err(failure)?;
        Ok(Image(to.into()))
    }

    /// A quad of a part of the image, upright in a square of [`CROP`] pixels, mixing neighbours; the pixels at the
    /// edge continue beyond it. No side of the part is longer than 32,766 pixels.
    ///
    /// # Errors
    /// OpenCV fails.
    pub fn upright(&self, part: Region, quad: &Corners) -> Result<Image<'static>, ModelError> {
        let quad = quad.map(|[x, y]| Point2f::new(x, y));
        let crop = CROP as f32;
        let square = [[0.0, 0.0], [crop, 0.0], [crop, crop], [0.0, crop]];
        let square = square.map(|[x, y]| Point2f::new(x, y));
        let part = self.part(part)?;
        let mut upright = Mat::default();
        let mut warp = || {
            imgproc::warp_perspective(
                &part,
                &mut upright,
                &imgproc::get_perspective_transform_slice_def(quad, square)?,
                Size::new(CROP as i32, CROP as i32),
                imgproc::INTER_LINEAR,
                BORDER_REPLICATE,
                Scalar::default(),
            )
        };
        warp().map_err(failure)?;
        Ok(Image(upright.into()))
    }

    fn part(&self, Region { low, size }: Region) -> Result<BoxedRef<'_, Mat>, ModelError> {
        Mat::roi(&self.0, Rect::new(low[0], low[1], size[0], size[1])).map_err(failure)
    }
}
