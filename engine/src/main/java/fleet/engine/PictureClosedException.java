package fleet.engine;

/** The picture that was asked is no longer kept; another one may be. */
final class PictureClosedException extends RuntimeException {
  PictureClosedException(Throwable cause) {
    super("this picture of the cluster is no longer kept", cause);
  }
}
