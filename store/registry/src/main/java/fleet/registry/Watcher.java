package fleet.registry;

/** Receives what a {@link Watch} sees. */
public interface Watcher {

  void changed(Delta delta);

  /** The watch has ended by a fault, and nothing more will come; not called after a close. */
  void failed(RegistryException why);
}
