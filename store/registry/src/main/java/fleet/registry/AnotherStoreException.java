package fleet.registry;

/**
 * The store reached now is not the one that this handle was opened on: it was replaced, or restored
 * from a backup, and entries read and watched so far may never have been in it. The handle writes
 * nothing more, and its watches have failed; open a new one and read everything again.
 */
public final class AnotherStoreException extends RegistryException {
  public AnotherStoreException(String message) {
    super(message);
  }
}
