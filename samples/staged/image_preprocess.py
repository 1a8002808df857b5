# SPDX-License-Identifier: Apache-2.0
"""Image preprocessing: NumPy makes an image, a staged kernel normalises it, Matplotlib shows both.

The figure goes to the file that the first argument names, else to the system's folder for temporary
files. Without Matplotlib the figure is left out. Run: asclens run samples/staged/image_preprocess.py
"""

import sys
import tempfile
from pathlib import Path

import asc
import numpy as np
from asc import PipeStage, Tensor

try:
    from matplotlib.figure import Figure
except ImportError:
    Figure = None

MEAN = np.array([0.485, 0.456, 0.406])
DEVIATION = np.array([0.229, 0.224, 0.225])
HEIGHT, WIDTH = 96, 128


class Normalise:
    """y = (x / 255 - mean) / deviation, one channel plane per core."""

    def __init__(self, pixels):
        self.pixels = pixels

    def process(self, image: Tensor, scale: Tensor, shift: Tensor, result: Tensor):
        channel = asc.get_block_idx()
        begin = channel * self.pixels
        plane = image[begin : begin + self.pixels].to_local()
        scale_local = scale.to_local()
        shift_local = shift.to_local()
        PipeStage.start(PipeStage.SCALAR)
        factor = scale_local[channel]
        offset = shift_local[channel]
        PipeStage.end(PipeStage.SCALAR)
        PipeStage.start(PipeStage.VECTOR)
        normal = plane * factor + offset
        PipeStage.end(PipeStage.VECTOR)
        result[begin : begin + self.pixels].copy_from(normal)
        PipeStage.sync()


def make_image():
    """Return a picture of a disc over a colour gradient, bytes of shape (3, HEIGHT, WIDTH)."""
    row, column = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    red, green = 255 * column / (WIDTH - 1), 255 * row / (HEIGHT - 1)
    blue = np.full_like(red, 90)
    disc = (row - HEIGHT / 2) ** 2 + (column - WIDTH / 2) ** 2 < (HEIGHT / 4) ** 2
    return np.stack([np.where(disc, 255 - plane, plane) for plane in (red, green, blue)]).astype(np.uint8)


def reference(image):
    """Return what the kernel must compute, with NumPy."""
    return (image / 255 - MEAN.reshape(3, 1, 1)) / DEVIATION.reshape(3, 1, 1)


def normalise(image):
    """Run the kernel on an image of bytes."""
    scale = (1 / (255 * DEVIATION)).astype(np.float32)
    shift = (-MEAN / DEVIATION).astype(np.float32)
    result = np.zeros(image.shape, np.float32)
    asc.launch(Normalise(HEIGHT * WIDTH), image.astype(np.float32).ravel(), scale, shift, result.ravel(), core_num=3)
    return result


def plot(image, result, file):
    """Save a figure of the image before and after, and of the values of its channels."""
    figure = Figure(figsize=(8, 6), layout="constrained")
    axes = figure.subplots(2, 2)
    shown = (result - result.min()) / (result.max() - result.min())
    for column, (title, picture) in enumerate((("before", image), ("after", shown))):
        axes[0, column].imshow(np.moveaxis(picture, 0, -1))
        axes[0, column].set_title(title)
        axes[0, column].axis("off")
    for column, values in enumerate((image, result)):
        for channel, colour in enumerate(("red", "green", "blue")):
            axes[1, column].hist(values[channel].ravel(), bins=48, histtype="step", color=colour)
        axes[1, column].set_xlabel("value")
    figure.savefig(file)


def main():
    image = make_image()
    result = normalise(image)
    np.testing.assert_allclose(result, reference(image), rtol=1e-5, atol=1e-5)
    print(f"image_preprocess 3 x {HEIGHT} x {WIDTH}: correct")
    if Figure is None:
        print("no figure: Matplotlib is not installed in this Python")
        return
    file = Path(sys.argv[1] if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "image_preprocess.png")
    plot(image, result, file)
    assert file.read_bytes().startswith(b"\x89PNG"), "the figure is no PNG file"
    print(f"figure: {file}")


if __name__ == "__main__":
    main()
