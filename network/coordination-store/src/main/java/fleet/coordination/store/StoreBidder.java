package fleet.coordination.store;

import fleet.coordination.Answerer;
import fleet.coordination.PendingBids;
import fleet.core.offer.Bid;
import fleet.core.unit.UnitName;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Outcome;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.Transaction;
import fleet.registry.records.BidRecord;
import fleet.registry.records.Keys;
import fleet.registry.records.OfferRecord;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bids for the units that the leader offers to this machine in the store, as long as it does.
 * Belongs to its loop.
 */
final class StoreBidder implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(StoreBidder.class);

  /** etcd takes 128 operations in a transaction, which others may share. */
  private static final int BATCH = 60;

  private final StoreWork work;
  private final String machine;
  private final PendingBids biddings;
  private final PrefixFollower following;

  /** The bids to write next; empty if a bid is to be taken away. */
  private final Map<UnitName, Optional<Bid>> outgoing = new LinkedHashMap<>();

  private @Nullable MachineLease membership;
  private boolean writing;

  /** Begins to listen. */
  StoreBidder(StoreWork work, String machine, MachineLease membership, Answerer answerer) {
    this.work = work;
    this.machine = machine;
    this.membership = membership;
    this.biddings = new PendingBids(work.loop(), answerer, this::bid);
    this.following = new PrefixFollower(work, Keys.OFFERS, new OfferEvents());
  }

  /** Earlier bids went with the lease. */
  void joined(MachineLease begun) {
    membership = begun;
    outgoing.clear();
    biddings.bids().forEach(this::bid);
  }

  void lost() {
    membership = null;
  }

  private void bid(Bid bid) {
    outgoing.put(bid.unit(), Optional.of(bid));
    write();
  }

  private void offered(Entry entry) {
    try {
      OfferRecord record = OfferRecord.of(entry);
      if (record.machines().contains(machine)) {
        biddings.offered(record.offer());
      } else {
        withdrawn(record.offer().unit());
      }
    } catch (RegistryException e) {
      log.error("coordination: an offer is not answered: {}", e.getMessage());
    }
  }

  private void withdrawn(UnitName unit) {
    if (biddings.units().contains(unit)) {
      biddings.withdrawn(unit);
      outgoing.put(unit, Optional.empty());
      write();
    }
  }

  private void write() {
    MachineLease now = membership;
    if (writing || outgoing.isEmpty() || now == null) {
      return;
    }
    var transaction = Transaction.when().createdAt(Keys.machine(machine), now.created());
    int count = 0;
    for (var next = outgoing.entrySet().iterator(); next.hasNext() && count < BATCH; count++) {
      Map.Entry<UnitName, Optional<Bid>> each = next.next();
      String key = Keys.bid(each.getKey(), machine);
      each.getValue()
          .ifPresentOrElse(
              bid -> transaction.put(key, new BidRecord(machine, bid).json(), now.lease()),
              () -> transaction.delete(key));
      next.remove();
    }
    writing = true;
    work.commit("bidding", transaction.build(), this::written);
  }

  /** A refused write is void: the membership has ended, and the next one bids again. */
  private void written(Outcome outcome) {
    writing = false;
    write();
  }

  @Override
  public void close() {
    following.close();
    biddings.end();
  }

  private final class OfferEvents implements PrefixFollower.Listener {

    @Override
    public void read(Snapshot snapshot) {
      Set<UnitName> over = new HashSet<>(biddings.units());
      for (Entry entry : snapshot.entries()) {
        offered(entry);
        over.removeIf(unit -> Keys.offer(unit).equals(entry.key()));
      }
      over.forEach(StoreBidder.this::withdrawn);
    }

    @Override
    public void changed(Delta delta) {
      for (Change change : delta.changes()) {
        switch (change) {
          case Change.Written written -> offered(written.entry());
          case Change.Deleted deleted -> deleted(deleted.key());
        }
      }
    }

    private void deleted(String key) {
      try {
        withdrawn(Keys.unitOf(key));
      } catch (RegistryException namesNothing) {
        log.debug("coordination: {} was no offer", key);
      }
    }
  }
}
