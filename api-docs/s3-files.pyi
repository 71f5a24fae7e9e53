    # Files of the user. Only the folders {folders} are granted; names begin with one of these.
    # `os.listdir`, `os.walk`, `os.path.exists`, `os.path.isfile`, `os.path.isdir`,
    # `os.path.getsize`, `os.path.getmtime` and `glob.glob` look into them, and `open(name)`
    # reads a small file. Contents travel by these two methods, of any size:

    def upload_file(self, *, Filename: str, Bucket: str, Key: str, ExtraArgs: dict = ...) -> None:
        """Makes an object of a file: upload_file(Filename="photos/a.jpg", Bucket=..., Key=...)."""

    def download_file(self, *, Bucket: str, Key: str, Filename: str) -> None:
        """Writes an object to a file, and the folders above it. Replaces a file that is there."""
