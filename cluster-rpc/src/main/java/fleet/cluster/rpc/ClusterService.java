package fleet.cluster.rpc;

import com.google.protobuf.ByteString;
import fleet.cluster.Absences;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.DrainProgress;
import fleet.cluster.EventStream;
import fleet.cluster.MetadataChange;
import fleet.cluster.Plan;
import fleet.cluster.PutResult;
import fleet.cluster.RebalanceProgress;
import fleet.cluster.RolloutProgress;
import fleet.cluster.RolloutResult;
import fleet.cluster.StartResult;
import fleet.core.question.Answer;
import fleet.core.unit.UnitName;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.message.QuestionMessages;
import fleet.rpc.message.UnitNames;
import fleet.rpc.v1.AnswerPiece;
import fleet.rpc.v1.AskMachine;
import fleet.rpc.v1.Command;
import fleet.rpc.v1.CommandDone;
import fleet.rpc.v1.EventBatch;
import fleet.rpc.v1.FollowEvents;
import fleet.rpc.v1.Found;
import fleet.rpc.v1.Query;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Serves a {@link Cluster} to other fleetds. Where the cluster is not to be had here, since another
 * engine leads, they are told so. Safe for use by many threads.
 */
public final class ClusterService implements BindableService {

  private static final Duration TURN = Duration.ofMinutes(1);
  private static final int PIECE = 16 << 10;

  private final Cluster cluster;
  private final LongConsumer awaitRevision;

  /**
   * Serves a cluster.
   *
   * @param cluster throws {@link fleet.cluster.NotLeadingException} where another one has to be
   *     asked
   * @param awaitRevision returns once queries see everything up to a revision of the store
   */
  public ClusterService(Cluster cluster, LongConsumer awaitRevision) {
    this.cluster = cluster;
    this.awaitRevision = awaitRevision;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(ClusterMethods.SERVICE)
        .addMethod(ClusterMethods.TELL, ServerCalls.asyncUnaryCall(this::tell))
        .addMethod(
            ClusterMethods.LOOK,
            ServerCalls.asyncServerStreamingCall(
                (query, out) -> stream("cluster-look", out, outlet -> look(query, outlet))))
        .addMethod(
            ClusterMethods.ASK,
            ServerCalls.asyncServerStreamingCall(
                (question, out) -> stream("cluster-ask", out, outlet -> ask(question, outlet))))
        .addMethod(
            ClusterMethods.FOLLOW,
            ServerCalls.asyncServerStreamingCall(
                (from, out) -> stream("cluster-follow", out, outlet -> follow(from, outlet))))
        .build();
  }

  private static <A> void stream(String name, StreamObserver<A> observer, Outlet.Work<A> work) {
    Outlet.write(name, (ServerCallStreamObserver<A>) observer, work);
  }

  // ---- commands

  private void tell(Command command, StreamObserver<CommandDone> answer) {
    CommandDone done;
    try {
      done = done(command);
    } catch (MalformedMessageException | RuntimeException e) {
      answer.onError(Said.of(e));
      return;
    }
    answer.onNext(done);
    answer.onCompleted();
  }

  private CommandDone done(Command command) throws MalformedMessageException {
    Caller caller = new Caller(command.getCaller());
    CommandDone.Builder done = CommandDone.newBuilder();
    return switch (command.getWhatCase()) {
      case PUTS -> done.addAllResults(put(command.getPuts(), caller)).build();
      case DESTROY -> {
        boolean was = cluster.destroy(UnitNames.of(command.getDestroy()), caller);
        yield done.setResult(Boolean.toString(was)).build();
      }
      case RESTART -> {
        StartResult result = cluster.restart(UnitNames.of(command.getRestart()), caller);
        yield done.setResult(result.name()).build();
      }
      case START_AGAIN -> {
        StartResult result = cluster.startAgain(UnitNames.of(command.getStartAgain()), caller);
        yield done.setResult(result.name()).build();
      }
      case METADATA -> {
        cluster.changeMetadata(changes(command.getMetadata()), caller);
        yield done.build();
      }
      case RESUME -> done.setResult(Boolean.toString(cluster.resume(caller))).build();
      case SET -> {
        Command.Setting set = command.getSet();
        yield done.setResult(cluster.set(set.getName(), set.getValue(), caller).orElse("")).build();
      }
      case CORDON -> {
        Command.Cordon cordon = command.getCordon();
        boolean changed = cluster.cordon(cordon.getMachine(), cordon.getCordoned(), caller);
        yield done.setResult(Boolean.toString(changed)).build();
      }
      case DRAIN -> {
        Command.Drain drain = command.getDrain();
        boolean changed =
            cluster.drain(
                drain.getMachine(),
                DrainMessages.maxUnavailable(drain.getMaxUnavailable()),
                caller);
        yield done.setResult(Boolean.toString(changed)).build();
      }
      case ROLL_OUT -> {
        if (command.getRollOut().getAtLeast() > 0) {
          awaitRevision.accept(command.getRollOut().getAtLeast());
        }
        RolloutResult result =
            cluster.rollOut(RolloutMessages.wanted(command.getRollOut()), caller);
        yield done.setResult(result.name()).build();
      }
      case CHANGE_ROLLOUT -> {
        Command.ChangeRollout change = command.getChangeRollout();
        Optional<Boolean> changed =
            cluster.changeRollout(
                UnitNames.of(change.getName()), RolloutMessages.change(change), caller);
        yield done.setResult(changed.map(Object::toString).orElse("")).build();
      }
      case REBALANCE ->
          RebalanceMessages.message(
              cluster.startRebalance(RebalanceMessages.wish(command.getRebalance()), caller));
      case STOP_REBALANCE ->
          done.setResult(Boolean.toString(cluster.stopRebalance(caller))).build();
      case WHAT_NOT_SET ->
          throw new MalformedMessageException(
              "fleetd of the leader is too old for this command: upgrade it");
    };
  }

  private List<String> put(Command.Puts command, Caller caller) throws MalformedMessageException {
    return cluster.put(PutMessages.puts(command), caller).stream().map(PutResult::name).toList();
  }

  private static List<MetadataChange> changes(Command.Metadata metadata) {
    return metadata.getChangesList().stream()
        .<MetadataChange>map(change ->
            change.hasValue()
                ? new MetadataChange.Set(change.getMachine(), change.getKey(), change.getValue())
                : new MetadataChange.Remove(change.getMachine(), change.getKey()))
        .toList();
  }

  // ---- queries

  private void look(Query query, Outlet<Found> outlet)
      throws MalformedMessageException, InterruptedException {
    if (query.getAtLeast() > 0) {
      awaitRevision.accept(query.getAtLeast());
    }
    FoundParts parts = new FoundParts(outlet);
    Cluster asked = query.getEvenIfStale() ? cluster.evenIfStale(parts::staleSince) : cluster;
    look(query, asked, parts);
    parts.flush();
  }

  private static void look(Query query, Cluster cluster, FoundParts parts)
      throws MalformedMessageException, InterruptedException {
    switch (query.getAboutCase()) {
      case UNITS -> {
        Query.Units asked = query.getUnits();
        parts.units(asked.getAll() ? cluster.units() : cluster.units(names(asked)));
      }
      case STATES -> {
        Query.Units asked = query.getStates();
        if (asked.getAll()) {
          parts.states(cluster.states());
        } else {
          parts.states(cluster.states(names(asked)));
        }
      }
      case MACHINES ->
          parts.each(
              cluster.machines(),
              machine ->
                  parts
                      .found()
                      .addMachines(MachineMessages.message(machine.machine()))
                      .addPromises(ViewMessages.promise(machine)));
      case TALLY -> parts.found().setTally(ViewMessages.message(cluster.tally()));
      case ABSENT -> {
        Absences absences = cluster.absences();
        parts.each(
            absences.machines(), absent -> parts.found().addAbsences(ViewMessages.message(absent)));
        absences.pause().ifPresent(pause -> parts.found().setPause(ViewMessages.message(pause)));
      }
      case WHY ->
          cluster
              .why(UnitNames.of(query.getWhy()))
              .ifPresent(reasons -> parts.found().setReasons(ReasonMessages.message(reasons)));
      case SETTINGS ->
          parts.each(
              cluster.settings(),
              setting -> parts.found().addSettings(ViewMessages.message(setting)));
      case DRAIN -> {
        Optional<DrainProgress> progress = cluster.drain(query.getDrain());
        if (progress.isPresent()) {
          parts.found().setDrain(DrainMessages.message(progress.get().drain()));
          parts.each(
              progress.get().units(),
              unit -> parts.found().addDrainedUnits(DrainMessages.message(unit)));
        }
      }
      case ROLLOUTS -> {
        String name = query.getRollouts().getName();
        if (name.isEmpty()) {
          parts.each(
              cluster.rollouts(),
              rollout -> parts.found().addRollouts(RolloutMessages.message(rollout)));
        } else {
          rollout(cluster.rollout(UnitNames.of(name)), parts);
        }
      }
      case PLAN -> {
        Plan plan = cluster.plan(PlanMessages.intent(query.getPlan()));
        parts.found().setRefusal(plan.refusal());
        plan.evening()
            .ifPresent(evening -> parts.found().setEvening(RebalanceMessages.message(evening)));
        parts.each(
            plan.changes(), change -> parts.found().addChanges(PlanMessages.message(change)));
      }
      case REBALANCE -> {
        Optional<RebalanceProgress> progress = cluster.rebalance();
        if (progress.isPresent()) {
          parts
              .found()
              .setRebalance(
                  RebalanceMessages.message(progress.get().rebalance(), progress.get().now()));
          parts.each(
              progress.get().units(),
              unit -> parts.found().addMoves(RebalanceMessages.message(unit)));
        }
      }
      case ABOUT_NOT_SET ->
          throw new MalformedMessageException(
              "fleetd of the leader is too old for this question: upgrade it");
    }
  }

  private static void rollout(Optional<RolloutProgress> found, FoundParts parts)
      throws InterruptedException {
    if (found.isPresent()) {
      RolloutProgress progress = found.get();
      parts.found().addRollouts(RolloutMessages.message(progress));
      parts.each(
          progress.units(),
          unit -> parts.found().addRollouts(RolloutMessages.message(progress.rollout(), unit)));
    }
  }

  private static Set<UnitName> names(Query.Units asked) throws MalformedMessageException {
    Set<UnitName> names = new HashSet<>();
    for (String name : asked.getNamesList()) {
      names.add(UnitNames.of(name));
    }
    return names;
  }

  // ---- streams

  private void ask(AskMachine asked, Outlet<AnswerPiece> outlet) throws Exception {
    Optional<Answer> answer =
        cluster.ask(asked.getMachine(), QuestionMessages.question(asked.getQuestion()));
    if (answer.isEmpty()) {
      outlet.send(AnswerPiece.newBuilder().setAnswers(false).build());
      return;
    }
    try (Answer found = answer.get()) {
      outlet.onCancel(found::close);
      outlet.send(AnswerPiece.newBuilder().setAnswers(true).build());
      copy(found.body(), outlet);
      outlet.send(AnswerPiece.newBuilder().setExitStatus(found.exitStatus()).build());
    }
  }

  private static void copy(InputStream body, Outlet<AnswerPiece> outlet) throws Exception {
    byte[] buffer = new byte[PIECE];
    for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
      ByteString data = ByteString.copyFrom(buffer, 0, count);
      outlet.send(AnswerPiece.newBuilder().setData(data).build());
    }
  }

  private void follow(FollowEvents asked, Outlet<EventBatch> outlet) throws InterruptedException {
    try (EventStream events = cluster.follow(EventMessages.from(asked))) {
      outlet.send(
          EventBatch.newBuilder()
              .setStart(EventMessages.message(events.start()))
              .setNewest(EventMessages.message(events.newest()))
              .build());
      EventParts parts = new EventParts(outlet);
      while (true) {
        parts.send(events.next(TURN));
      }
    }
  }
}
