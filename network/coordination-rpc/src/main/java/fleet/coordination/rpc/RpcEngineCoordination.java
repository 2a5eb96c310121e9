package fleet.coordination.rpc;

import fleet.coordination.EngineCoordination;
import fleet.coordination.EventLoop;
import fleet.coordination.Leadership;
import fleet.core.collection.OrderedCopy;
import fleet.core.machine.Machine;
import fleet.core.offer.Offer;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.schedule.ScheduleEntry;
import fleet.core.unit.UnitName;
import fleet.rpc.RpcPeer;
import fleet.rpc.message.OfferMessages;
import fleet.rpc.v1.Elsewhere;
import fleet.rpc.v1.FromAgent;
import fleet.rpc.v1.FromLeader;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's side of the coordination over RPC: each machine holds a stream to the leader. A
 * server that does not lead names the leader. Safe for use by many threads.
 *
 * <p>Engines never wait for machines: of each unit a slow one has only the latest outstanding.
 */
public final class RpcEngineCoordination implements EngineCoordination {

  private static final Logger log = LoggerFactory.getLogger(RpcEngineCoordination.class);

  /** A caller that opens a stream and says nothing is not an agent. */
  private static final Duration SILENT_AGENT = Duration.ofSeconds(20);

  private final Supplier<String> store;
  private final BooleanSupplier certain;
  private final Supplier<String> leader;
  private final EventLoop loop;
  private final List<PendingAgent> pending = new ArrayList<>();
  private volatile Supplier<TrustNews> trust = () -> TrustNews.NONE;
  private boolean looking;
  private @Nullable AgentRegistry lead;

  /**
   * An agent that has come while nobody leads.
   *
   * @param until when it is sent away, in nanoseconds of the loop
   */
  private record PendingAgent(AgentStream stream, FromAgent hello, long until) {}

  /**
   * How soon pending agents learn the leader, if another server leads. One look serves all of them.
   */
  private static final Duration LOOK = Duration.ofMillis(250);

  /** An agent waits here for a third of its TTL, then asks elsewhere; it is patient for longer. */
  private static final int PENDING_PART_OF_TTL = 3;

  /**
   * @param store the id of the store that tokens and revisions are of; asked for at each term
   * @param certain whether nobody else can lead at the moment, as {@link Leadership#isCertain} says
   * @param leader {@code host:port} of the leader; empty if that is not known, and if it is this
   *     one, which is about to; may wait
   */
  public RpcEngineCoordination(
      Supplier<String> store,
      BooleanSupplier certain,
      Supplier<String> leader,
      EventLoop.Factory loops) {
    this.store = store;
    this.certain = certain;
    this.leader = leader;
    this.loop = loops.start("rpc-coordination", () -> {});
  }

  /**
   * Sends machines the authorities of the cluster from now on.
   *
   * @param of asked at each heartbeat; must not wait
   */
  public void tellTrust(Supplier<TrustNews> of) {
    trust = of;
  }

  /** The service for the RPC port. */
  public ServerServiceDefinition service() {
    return GrpcStreams.service(this::arrived);
  }

  /**
   * An agent has opened a stream.
   *
   * @param peer whose certificate it has; empty in plain text, and if it is this fleetd's own
   * @return hears what the agent says
   */
  public MessageStream.Listener<FromAgent> arrived(
      MessageStream<FromLeader> messages, Optional<RpcPeer> peer) {
    var stream = new AgentStream(loop, this, messages, peer);
    loop.postAfter(
        SILENT_AGENT,
        () -> {
          if (stream.member().isEmpty()) {
            stream.cut("it said nothing");
          }
        });
    return stream;
  }

  @Override
  public void lead(Leadership.Term term, Listener listener) {
    String id = store.get();
    loop.post(() -> {
      endLead();
      lead = new AgentRegistry(loop, id, term, listener, certain, () -> trust.get());
      greetPending();
    });
  }

  @Override
  public void retire() {
    loop.post(this::endLead);
  }

  private void endLead() {
    if (lead != null) {
      lead.end();
      lead = null;
    }
  }

  @Override
  public void snapshot(
      Machine machine, Collection<ScheduleEntry> entries, Set<UnitName> leftAlone) {
    List<ScheduleEntry> kept = List.copyOf(entries);
    Set<UnitName> alone = OrderedCopy.of(leftAlone);
    onStream(
        machine.id(), stream -> stream.tell(schedule -> schedule.snapshot(machine, kept, alone)));
  }

  @Override
  public void delta(
      String machine,
      Collection<ScheduleEntry> changed,
      Set<UnitName> removed,
      Set<UnitName> leftAlone) {
    List<ScheduleEntry> kept = List.copyOf(changed);
    Set<UnitName> gone = OrderedCopy.of(removed);
    Set<UnitName> alone = OrderedCopy.of(leftAlone);
    onStream(machine, stream -> stream.tell(schedule -> schedule.delta(kept, gone, alone)));
  }

  @Override
  public void occupied(Machine refused, Machine there) {
    onLead(leading -> leading.occupied(refused, there));
  }

  @Override
  public void offer(String machine, Offer offer) {
    onStream(
        machine,
        stream -> stream.send(FromLeader.newBuilder().setOffer(OfferMessages.message(offer))));
  }

  @Override
  public void withdraw(String machine, UnitName unit) {
    onStream(machine, stream -> stream.send(FromLeader.newBuilder().setWithdraw(unit.value())));
  }

  /** A machine is removed: it is gone for good. */
  public void expel(String machine) {
    onLead(leading -> leading.expel(machine));
  }

  private void onStream(String machine, Consumer<AgentStream> work) {
    onLead(leading -> leading.stream(machine).ifPresent(work));
  }

  private void onLead(Consumer<AgentRegistry> work) {
    loop.post(() -> {
      if (lead != null) {
        work.accept(lead);
      }
    });
  }

  /** {@inheritDoc} Only the leader can ask: machines have a stream to nobody else. */
  @Override
  public Optional<Answer> ask(String machine, Question question) {
    try {
      return loop.call(() ->
          Optional.ofNullable(lead)
              .flatMap(leading -> leading.stream(machine))
              .map(stream -> stream.ask(question)));
    } catch (IllegalStateException e) {
      log.debug("coordination: nobody is asked any more", e);
      return Optional.empty();
    }
  }

  @Override
  public Set<String> agents() {
    try {
      return loop.call(() -> lead == null ? Set.<String>of() : lead.agents());
    } catch (IllegalStateException e) {
      log.debug("coordination: nobody is there any more", e);
      return Set.of();
    }
  }

  @Override
  public void close() {
    try {
      loop.call(() -> {
        endLead();
        return true;
      });
    } catch (IllegalStateException e) {
      log.debug("coordination: closed before", e);
    }
    loop.close();
  }

  private boolean leadsForCertain() {
    return lead != null && lead.isCertain();
  }

  private void greet(AgentStream stream, FromAgent hello) {
    if (leadsForCertain()) {
      lead(stream, hello);
    } else {
      long patience = hello.getHello().getTtlMillis() / PENDING_PART_OF_TTL;
      pending.add(
          new PendingAgent(
              stream, hello, loop.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patience)));
      look();
    }
  }

  private void lead(AgentStream stream, FromAgent message) {
    if (lead != null) {
      lead.heard(stream, message);
    }
  }

  private void greetPending() {
    List<PendingAgent> waiting = List.copyOf(pending);
    pending.clear();
    waiting.forEach(agent -> greet(agent.stream(), agent.hello()));
  }

  /**
   * Finds the leader for agents that have connected here. While nobody leads, agents wait: polling
   * by thousands would keep the next leader from its work.
   */
  private void look() {
    if (!looking && !pending.isEmpty()) {
      looking = true;
      loop.beside(
          "looking for the leader",
          () -> {
            String address = address();
            loop.post(() -> {
              sendOn(address);
              loop.postAfter(
                  LOOK,
                  () -> {
                    looking = false;
                    look();
                  });
            });
          });
    }
  }

  private void sendOn(String address) {
    if (leadsForCertain()) {
      greetPending();
    }
    for (PendingAgent agent : List.copyOf(pending)) {
      if (!address.isEmpty() || agent.until() - loop.nanoTime() <= 0) {
        pending.remove(agent);
        sendOn(agent.stream(), address);
      }
    }
  }

  private static void sendOn(AgentStream stream, String address) {
    stream.end(FromLeader.newBuilder().setElsewhere(Elsewhere.newBuilder().setAddress(address)));
  }

  private void forget(AgentStream stream) {
    pending.removeIf(agent -> agent.stream().equals(stream));
  }

  private String address() {
    try {
      return leader.get();
    } catch (RuntimeException e) {
      log.debug("coordination: who leads is not known", e);
      return "";
    }
  }

  // ---- what streams tell

  void heard(AgentStream stream, FromAgent message) {
    if (message.hasHello() && !stream.greets()) {
      forget(stream);
      stream.cut("it says hello again");
    } else if (message.hasHello()) {
      greet(stream, message);
    } else if (lead == null) {
      sendOn(stream, "");
    } else {
      lead(stream, message);
    }
  }

  void ended(AgentStream stream, String why) {
    forget(stream);
    log.debug("coordination: a machine's stream has ended: {}", why);
  }

  /** Signs a message with who says it. */
  FromLeader.Builder signed(FromLeader.Builder message) {
    return lead == null ? message : lead.signed(message);
  }
}
