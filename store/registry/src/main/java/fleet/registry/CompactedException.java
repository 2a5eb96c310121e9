package fleet.registry;

/** Changes as old as those asked for are no longer kept. */
public final class CompactedException extends RegistryException {
  public CompactedException(long asked, long oldest) {
    super("changes after revision " + asked + " are gone; the oldest kept is " + oldest);
  }
}
