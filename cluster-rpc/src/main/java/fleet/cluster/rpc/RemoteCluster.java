package fleet.cluster.rpc;

import fleet.cluster.Absences;
import fleet.cluster.Caller;
import fleet.cluster.Cluster;
import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.EventStream;
import fleet.cluster.EventsFrom;
import fleet.cluster.MetadataChange;
import fleet.cluster.PutResult;
import fleet.cluster.StartResult;
import fleet.cluster.UnitPut;
import fleet.cluster.UnitView;
import fleet.core.machine.Machine;
import fleet.core.question.Answer;
import fleet.core.question.Question;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import fleet.rpc.RpcChannels;
import fleet.rpc.message.MachineMessages;
import fleet.rpc.message.MalformedMessageException;
import fleet.rpc.v1.Command;
import fleet.rpc.v1.CommandDone;
import fleet.rpc.v1.Found;
import fleet.rpc.v1.FoundAbsence;
import fleet.rpc.v1.FoundState;
import fleet.rpc.v1.FoundUnit;
import fleet.rpc.v1.Query;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The cluster as its leader serves it, wherever that is. Where the leader changes, the next one is
 * asked, also for a question that was under way; a command is repeated only where doing it twice is
 * doing it once, or where it is certain that nothing was done. Safe for use by many threads.
 */
public final class RemoteCluster implements Cluster, AutoCloseable {

  /** The registry may take its time to make a command durable. */
  private static final long TELL_SECONDS = 20;

  /** A picture may have to come to a revision first. */
  private static final long FIRST_PART_SECONDS = 8;

  private static final long NEXT_PART_SECONDS = 30;

  private final LeaderCalls calls;
  private final LongSupplier written;

  /**
   * Asks through channels that are opened for it.
   *
   * @param written the newest revision of the store that this fleetd has written itself, which
   *     queries are to see; 0 for none
   * @param patience for how long a leader is looked for
   */
  public RemoteCluster(
      Leaders leaders, RpcChannels channels, LongSupplier written, Duration patience) {
    this.calls = new LeaderCalls(leaders, channels, patience);
    this.written = written;
  }

  @Override
  public void close() {
    calls.close();
  }

  // ---- queries

  @Override
  public List<UnitView> units() {
    return units(Query.Units.newBuilder().setAll(true).build());
  }

  @Override
  public List<UnitView> units(Set<UnitName> names) {
    return names.isEmpty() ? List.of() : units(named(names));
  }

  @Override
  public Optional<UnitView> unit(UnitName name) {
    return units(Set.of(name)).stream().findFirst();
  }

  private List<UnitView> units(Query.Units asked) {
    return look(
        query().setUnits(asked),
        () -> {
          List<UnitView> units = new ArrayList<>();
          UnitFiles.Received files = new UnitFiles.Received();
          return new Reading<>(units) {
            @Override
            void read(Found part) throws MalformedMessageException {
              for (String file : part.getFilesList()) {
                files.add(file);
              }
              for (FoundUnit unit : part.getUnitsList()) {
                units.add(ViewMessages.view(unit, files));
              }
            }
          };
        });
  }

  @Override
  public List<UnitState> states() {
    return states(Query.Units.newBuilder().setAll(true).build());
  }

  @Override
  public List<UnitState> states(Set<UnitName> units) {
    return units.isEmpty() ? List.of() : states(named(units));
  }

  private List<UnitState> states(Query.Units asked) {
    return look(
        query().setStates(asked),
        () -> {
          List<UnitState> states = new ArrayList<>();
          return new Reading<>(states) {
            @Override
            void read(Found part) throws MalformedMessageException {
              for (FoundState state : part.getStatesList()) {
                states.add(ViewMessages.state(state));
              }
            }
          };
        });
  }

  @Override
  public List<Machine> machines() {
    return look(
        query().setMachines(Query.Machines.getDefaultInstance()),
        () -> {
          List<Machine> machines = new ArrayList<>();
          return new Reading<>(machines) {
            @Override
            void read(Found part) throws MalformedMessageException {
              for (fleet.rpc.v1.Machine machine : part.getMachinesList()) {
                machines.add(MachineMessages.machine(machine));
              }
            }
          };
        });
  }

  @Override
  public Absences absences() {
    List<Found> parts =
        look(
            query().setAbsent(Query.Absent.getDefaultInstance()),
            () -> {
              List<Found> found = new ArrayList<>();
              return new Reading<>(found) {
                @Override
                void read(Found part) {
                  found.add(part);
                }
              };
            });
    List<Absences.Absent> machines = new ArrayList<>();
    Optional<Absences.Pause> pause = Optional.empty();
    for (Found part : parts) {
      for (FoundAbsence absence : part.getAbsencesList()) {
        machines.add(ViewMessages.absent(absence));
      }
      pause = part.hasPause() ? Optional.of(ViewMessages.pause(part.getPause())) : pause;
    }
    return new Absences(machines, pause);
  }

  private static Query.Units named(Set<UnitName> names) {
    Query.Units.Builder asked = Query.Units.newBuilder();
    names.forEach(name -> asked.addNames(name.value()));
    return asked.build();
  }

  private Query.Builder query() {
    return Query.newBuilder().setAtLeast(written.getAsLong());
  }

  /** Gathers the parts of one answer. */
  private abstract static class Reading<T> {
    private final List<T> all;

    Reading(List<T> all) {
      this.all = all;
    }

    abstract void read(Found part) throws MalformedMessageException;
  }

  /** Makes a reading for each attempt. */
  private interface Readings<T> {
    Reading<T> begin();
  }

  private <T> List<T> look(Query.Builder query, Readings<T> readings) {
    return calls.repeat((channel, options) -> {
      BlockingClientCall<Query, Found> call =
          ClientCalls.blockingV2ServerStreamingCall(
              channel, ClusterMethods.LOOK, options, query.build());
      try {
        Reading<T> reading = readings.begin();
        Found part = call.read(FIRST_PART_SECONDS, TimeUnit.SECONDS);
        while (part != null) {
          reading.read(part);
          part = call.read(NEXT_PART_SECONDS, TimeUnit.SECONDS);
        }
        return List.copyOf(reading.all);
      } finally {
        call.cancel("done", null);
      }
    });
  }

  // ---- commands

  @Override
  public List<PutResult> put(List<UnitPut> puts, Caller caller) {
    Command.Puts.Builder all = Command.Puts.newBuilder();
    puts.forEach(put -> all.addPuts(message(put)));
    Command command = by(caller).setPuts(all).build();
    // Without a desired state, the second time would be refused.
    return puts.stream().allMatch(put -> put.desired().isPresent())
        ? calls.repeat(telling(command, RemoteCluster::results))
        : calls.once(telling(command, RemoteCluster::results));
  }

  private static Command.Put message(UnitPut put) {
    Command.Put.Builder message = Command.Put.newBuilder().setUnit(put.name().value());
    put.file().ifPresent(content -> message.setFile(content.render()));
    put.desired().ifPresent(state -> message.setDesired(state.text()));
    return message.build();
  }

  private static List<PutResult> results(CommandDone done) {
    return done.getResultsList().stream().map(PutResult::valueOf).toList();
  }

  @Override
  public boolean destroy(UnitName name, Caller caller) {
    return truth(by(caller).setDestroy(name.value()).build());
  }

  @Override
  public StartResult restart(UnitName name, Caller caller) {
    Command command = by(caller).setRestart(name.value()).build();
    return calls.once(telling(command, done -> StartResult.valueOf(done.getResult())));
  }

  @Override
  public StartResult startAgain(UnitName name, Caller caller) {
    Command command = by(caller).setStartAgain(name.value()).build();
    return calls.repeat(telling(command, done -> StartResult.valueOf(done.getResult())));
  }

  @Override
  public void changeMetadata(List<MetadataChange> changes, Caller caller) {
    Command.Metadata.Builder metadata = Command.Metadata.newBuilder();
    for (MetadataChange change : changes) {
      Command.Change.Builder one =
          Command.Change.newBuilder().setMachine(change.machine()).setKey(change.key());
      switch (change) {
        case MetadataChange.Set set -> one.setValue(set.value());
        case MetadataChange.Remove _ -> {
          // Said by the value that is not there.
        }
      }
      metadata.addChanges(one);
    }
    String _ =
        calls.repeat(telling(by(caller).setMetadata(metadata).build(), CommandDone::getResult));
  }

  @Override
  public boolean resume(Caller caller) {
    return truth(by(caller).setResume(Command.Resume.getDefaultInstance()).build());
  }

  /** Where the first attempt may have done it, the second finds nothing to do. */
  private boolean truth(Command command) {
    LeaderCalls.Repeated<Boolean> done =
        calls.repeatKnowingly(telling(command, answer -> Boolean.parseBoolean(answer.getResult())));
    return done.result() || done.perhapsDoneBefore();
  }

  private static Command.Builder by(Caller caller) {
    return Command.newBuilder().setCaller(caller.name());
  }

  private interface Meaning<T> {
    T of(CommandDone done);
  }

  private static <T> LeaderCalls.Call<T> telling(Command command, Meaning<T> meaning) {
    return (channel, options) -> {
      CommandDone done =
          ClientCalls.blockingV2UnaryCall(
              channel,
              ClusterMethods.TELL,
              options.withDeadlineAfter(TELL_SECONDS, TimeUnit.SECONDS),
              command);
      try {
        return meaning.of(done);
      } catch (IllegalArgumentException e) {
        throw new ClusterUnavailableException(
            "it is done, but with a result that this fleetd is too old to know: "
                + done.getResult()
                + done.getResultsList(),
            e);
      }
    };
  }

  // ---- streams

  @Override
  public Optional<Answer> ask(String machine, Question question) {
    return RemoteAnswer.ask(calls, machine, question);
  }

  @Override
  public EventStream follow(EventsFrom from) {
    return RemoteEvents.open(calls, from);
  }
}
