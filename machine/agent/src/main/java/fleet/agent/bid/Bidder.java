package fleet.agent.bid;

import fleet.coordination.EventLoop;
import fleet.coordination.PendingBid;
import fleet.core.machine.ResourceText;
import fleet.core.machine.Resources;
import fleet.core.offer.Bid;
import fleet.core.offer.Offer;
import fleet.core.requirements.Requirements;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bids for units that are offered to this machine, from measurements: at once, and again when the
 * bid changes. While an offer is open the machine measures again after a second, then ever less
 * often: the kernel notifies of rising pressure, not of falling, and of no conditions. Safe for use
 * by many threads.
 */
public final class Bidder implements AutoCloseable {

  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** A machine that loses this share of its time is short of memory. */
  private static final double TOO_MUCH_MEMORY_PRESSURE = 25;

  /** The change of a bid that makes a new one, in percent. */
  private static final int ANOTHER_BID = 25;

  private final EventLoop.Factory loops;
  private final LoadMeter gauge;
  private final Conditions conditions;
  private final Resources total;
  private final Resources kept;
  private final Set<Open> open = new LinkedHashSet<>();
  private @Nullable EventLoop started;
  private Duration pause = FIRST_PAUSE;
  private boolean looking;
  private boolean pausing;
  private boolean closed;

  /** An offer, and what was said last. */
  private static final class Open {
    private final Offer offer;
    private final List<String> conditions;
    private final Resources asked;
    private final Consumer<Bid> then;
    private @Nullable Answer last;

    Open(Offer offer, Resources total, Consumer<Bid> then) {
      this.offer = offer;
      this.conditions = Conditions.of(offer.unit(), offer.file());
      this.asked =
          Requirements.of(offer.unit(), offer.file(), offer.require()).reservation().on(total);
      this.then = then;
    }
  }

  /**
   * An answer to an offer.
   *
   * @param rule the part worth sending again when it changes: measured values change all the time
   */
  private record Answer(String rule, Bid bid) {}

  /**
   * @param loops of which one is started with the first offer
   * @param total what the machine has
   * @param kept what of it is not for units
   */
  public Bidder(
      EventLoop.Factory loops,
      LoadMeter gauge,
      Conditions conditions,
      Resources total,
      Resources kept) {
    this.loops = loops;
    this.gauge = gauge;
    this.conditions = conditions;
    this.total = total;
    this.kept = kept;
  }

  /** See {@link fleet.coordination.Answerer#bid}. */
  public PendingBid bid(Offer offer, Consumer<Bid> then) {
    var offered = new Open(offer, total, then);
    EventLoop loop = loop();
    loop.post(() -> {
      open.add(offered);
      pause = FIRST_PAUSE;
      lookAtNew(loop);
    });
    return () -> loop.post(() -> open.remove(offered));
  }

  private synchronized EventLoop loop() {
    EventLoop running = started;
    if (running == null) {
      running = loops.start("bids", () -> {});
      started = running;
      if (closed) {
        running.close();
      }
    }
    return running;
  }

  // ---- on the loop

  private void lookAtNew(EventLoop loop) {
    List<Open> unanswered = open.stream().filter(each -> each.last == null).toList();
    if (!unanswered.isEmpty()) {
      look(loop, unanswered);
    }
  }

  private void look(EventLoop loop, List<Open> offers) {
    if (looking) {
      return;
    }
    looking = true;
    loop.beside(
        "bids",
        () -> {
          Map<Open, Answer> answers = answers(offers);
          loop.post(() -> looked(loop, answers));
        });
  }

  private void looked(EventLoop loop, Map<Open, Answer> answers) {
    looking = false;
    answers.forEach((offered, answer) -> {
      if (open.contains(offered)
          && (offered.last == null || !offered.last.rule.equals(answer.rule))) {
        offered.last = answer;
        offered.then.accept(answer.bid);
      }
    });
    lookAtNew(loop);
    lookLater(loop);
  }

  private void lookLater(EventLoop loop) {
    if (pausing || open.isEmpty()) {
      return;
    }
    pausing = true;
    Duration now = pause;
    pause = now.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? now.multipliedBy(2) : LONGEST_PAUSE;
    loop.postAfter(
        now,
        () -> {
          pausing = false;
          if (!open.isEmpty()) {
            look(loop, List.copyOf(open));
            lookLater(loop);
          }
        });
  }

  // ---- beside it

  private Map<Open, Answer> answers(List<Open> offers) {
    MachineLoad load = gauge.measure();
    Map<List<String>, Optional<String>> judged = new HashMap<>();
    Map<Open, Answer> answers = new HashMap<>();
    for (Open offered : offers) {
      Optional<String> unmet = judged.computeIfAbsent(offered.conditions, conditions::unmet);
      answers.put(offered, answer(offered, load, unmet));
    }
    return answers;
  }

  private Answer answer(Open offered, MachineLoad load, Optional<String> unmet) {
    if (unmet.isPresent()) {
      return declines(offered, unmet.get(), unmet.get() + " not met");
    }
    double pressure = load.memoryPressure().orElse(0);
    if (pressure >= TOO_MUCH_MEMORY_PRESSURE) {
      return declines(
          offered, "memory pressure", "its memory pressure is %.0f %%".formatted(pressure));
    }
    long memory = offered.asked.memory();
    if (memory > 0 && load.memoryAvailable().orElse(memory) < memory) {
      return declines(
          offered,
          "memory",
          "it has %s of memory available, of %s that are asked"
              .formatted(
                  ResourceText.bytes(load.memoryAvailable().orElse(0)),
                  ResourceText.bytes(memory)));
    }
    long disk = offered.asked.disk() + kept.disk();
    if (offered.asked.disk() > 0 && load.diskFree().orElse(disk) < disk) {
      return declines(
          offered,
          "disk",
          "it has %s of disk free, of %s that are asked and %s that are kept"
              .formatted(
                  ResourceText.bytes(load.diskFree().orElse(0)),
                  ResourceText.bytes(offered.asked.disk()),
                  ResourceText.bytes(kept.disk())));
    }
    return new Answer(
        "busy " + load.busy() / ANOTHER_BID,
        new Bid.Made(offered.offer.unit(), offered.offer.id(), load.busy(), load.inWords()));
  }

  private static Answer declines(Open offered, String rule, String why) {
    return new Answer(rule, new Bid.Declined(offered.offer.unit(), offered.offer.id(), why));
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (started != null) {
      started.close();
    }
  }
}
