package fleet.registry;

/**
 * What is reached now is not the store that this handle was opened on: it was replaced, or restored
 * from a backup, and what was read and watched so far may never have been in it. The handle writes
 * nothing more, and its watches have failed; open a new one and read everything again.
 */
public final class AnotherStoreException extends RegistryException {
  public AnotherStoreException(String message) {
    super(message);
  }
}
