package fleet.coordination;

/** An offer that is being answered. */
public interface PendingBid extends AutoCloseable {

  /** The offer is withdrawn: it is answered no more. Returns at once. */
  @Override
  void close();
}
