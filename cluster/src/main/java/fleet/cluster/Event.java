package fleet.cluster;

import fleet.core.machine.Machine;
import fleet.core.state.DesiredState;
import fleet.core.state.UnitState;
import fleet.core.unit.UnitName;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * One change of the cluster.
 *
 * @param revision of the registry when it happened
 */
public record Event(EventId id, long revision, Instant time, Body body) {

  /** The change itself. */
  public sealed interface Body {

    Kind kind();

    /** The cause of the change. */
    default Cause cause() {
      return Cause.NONE;
    }
  }

  /** Kinds of changes that are told apart. */
  public enum Kind {
    COMMAND,
    ROLLOUT,
    REBALANCE_ENDED,
    PLACED,
    MOVED,
    LEAVING,
    LEFT,
    LEADER,
    UNIT,
    UNIT_DESTROYED,
    STATE,
    STATE_GONE,
    MACHINE,
    MACHINE_GONE,
    RESCHEDULING_PAUSED,
    RESCHEDULING_RESUMED,
    GAP;

    /** The API's name. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind of a name; empty where there is none. */
    public static Optional<Kind> of(String text) {
      return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
  }

  /** Commands that events tell of. */
  public enum Command {
    CREATED,
    REPLACED,
    /** The desired state was set. */
    DESIRED,
    /** It was told once more to start. */
    STARTED_AGAIN,
    DESTROYED,
    /** The metadata of a machine was set. */
    METADATA,
    /** Nothing new is to come to a machine. */
    CORDONED,
    /** The units of a machine are to go elsewhere. */
    DRAINED,
    /** Something may come to a machine again. */
    UNCORDONED,
    /** A machine was thrown out of the cluster. */
    REMOVED,
    /** A machine may join once more with another key. */
    READMITTED,
    /** Another process speaks for a machine while the one before was still connected. */
    TAKEN_OVER,
    /** Units are to move from machines that have many to machines that have few. */
    REBALANCE,
    /** No more units are to begin to move for that. */
    REBALANCE_STOPPED,
    /** A setting of the whole cluster was set. */
    CONFIG,
    /** A token was made, with which machines can join. */
    TOKEN_CREATED,
    /** A token is worth nothing any more. */
    TOKEN_REVOKED,
    /** Somebody may do something from now on. */
    ACCESS_GRANTED,
    /** Somebody may do nothing any more. */
    ACCESS_REVOKED,
    /** The authority of the cluster is replaced. */
    CA_ROTATION;

    /** The API's word. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Somebody changed a unit through the API.
   *
   * @param desired its desired state from now on; empty where it was destroyed
   * @param by who did; empty where that is not known
   */
  public record UnitCommanded(
      UnitName unit, Command command, Optional<DesiredState> desired, String by) implements Body {
    @Override
    public Kind kind() {
      return Kind.COMMAND;
    }

    @Override
    public Cause cause() {
      return Cause.by(by);
    }
  }

  /**
   * Somebody changed a machine through the API.
   *
   * @param details what exactly, such as {@code region=eu}
   */
  public record MachineCommanded(String machine, Command command, String details, String by)
      implements Body {
    @Override
    public Kind kind() {
      return Kind.COMMAND;
    }

    @Override
    public Cause cause() {
      return new Cause(by, details);
    }
  }

  /**
   * Somebody made or revoked a token.
   *
   * @param details what it is for, and until when; empty where it was revoked
   */
  public record TokenCommanded(String token, Command command, String details, String by)
      implements Body {
    @Override
    public Kind kind() {
      return Kind.COMMAND;
    }

    @Override
    public Cause cause() {
      return new Cause(by, details.isEmpty() ? token : token + " " + details);
    }
  }

  /**
   * Somebody granted or revoked what a subject may do.
   *
   * @param holder such as {@code alice} or {@code machine:113f16a7}
   * @param details the grant in words; empty where it was revoked
   */
  public record AccessCommanded(String holder, Command command, String details, String by)
      implements Body {
    @Override
    public Kind kind() {
      return Kind.COMMAND;
    }

    @Override
    public Cause cause() {
      return new Cause(by, details.isEmpty() ? holder : details);
    }
  }

  /**
   * The authority of the cluster is being replaced.
   *
   * @param what became of that
   * @param by who asked for it
   */
  public record AuthorityRotated(String what, String by) implements Body {
    @Override
    public Kind kind() {
      return Kind.COMMAND;
    }

    @Override
    public Cause cause() {
      return new Cause(by, what);
    }
  }

  /**
   * Somebody changed a setting of the whole cluster.
   *
   * @param setting such as {@code scheduler.strategy}
   * @param value from now on
   */
  public record Configured(String setting, String value, String by) implements Body {
    @Override
    public Kind kind() {
      return Kind.COMMAND;
    }

    @Override
    public Cause cause() {
      return new Cause(by, setting + "=" + value);
    }
  }

  /**
   * A rollout began, or came to another stage.
   *
   * @param rollout the name of its template, or of its single unit
   * @param what became of it, said of the rollout, such as "is paused"
   * @param by who asked for it; empty where nobody did
   */
  public record RolloutTold(UnitName rollout, String what, String by) implements Body {
    @Override
    public Kind kind() {
      return Kind.ROLLOUT;
    }

    @Override
    public Cause cause() {
      return new Cause(by, what);
    }
  }

  /**
   * Somebody asked for a rebalance, or to stop one.
   *
   * @param details such as {@code 12 moves, within 1}
   */
  public record RebalanceCommanded(Command command, String details, String by) implements Body {
    @Override
    public Kind kind() {
      return Kind.COMMAND;
    }

    @Override
    public Cause cause() {
      return new Cause(by, details);
    }
  }

  /**
   * Nothing more follows from a rebalance.
   *
   * @param result such as {@code moves made: 11 of 12}
   */
  public record RebalanceEnded(String result) implements Body {
    @Override
    public Kind kind() {
      return Kind.REBALANCE_ENDED;
    }

    @Override
    public Cause cause() {
      return Cause.of(result);
    }
  }

  /** A unit that was nowhere has a place. */
  public record Placed(UnitName unit, String machine, String why) implements Body {
    @Override
    public Kind kind() {
      return Kind.PLACED;
    }

    @Override
    public Cause cause() {
      return Cause.of(why);
    }
  }

  /**
   * A unit that had left a machine, or whose machine is lost, has a place on another.
   *
   * @param why why it left, and why it goes there
   */
  public record Moved(UnitName unit, String from, String to, String why) implements Body {
    @Override
    public Kind kind() {
      return Kind.MOVED;
    }

    @Override
    public Cause cause() {
      return Cause.of(why);
    }
  }

  /** A unit is told to leave its machine: its process is being stopped. */
  public record Leaving(UnitName unit, String machine, String why) implements Body {
    @Override
    public Kind kind() {
      return Kind.LEAVING;
    }

    @Override
    public Cause cause() {
      return Cause.of(why);
    }
  }

  /** A unit has left its machine, and has no place. */
  public record Left(UnitName unit, String machine, String why) implements Body {
    @Override
    public Kind kind() {
      return Kind.LEFT;
    }

    @Override
    public Cause cause() {
      return Cause.of(why);
    }
  }

  /**
   * Another engine leads, or none; also the first event of each epoch.
   *
   * @param machine whose engine leads; empty where none does, or it is not known which
   */
  public record LeaderChanged(Optional<String> machine, String why) implements Body {
    @Override
    public Kind kind() {
      return Kind.LEADER;
    }

    @Override
    public Cause cause() {
      return Cause.of(why);
    }
  }

  /** A unit is new, or something about it changed: content, desired or current state, place. */
  public record UnitChanged(UnitView unit) implements Body {
    @Override
    public Kind kind() {
      return Kind.UNIT;
    }

    @Override
    public Cause cause() {
      return Cause.of(unit.waiting());
    }
  }

  public record UnitDestroyed(UnitName unit) implements Body {
    @Override
    public Kind kind() {
      return Kind.UNIT_DESTROYED;
    }
  }

  public record StateChanged(UnitState state) implements Body {
    @Override
    public Kind kind() {
      return Kind.STATE;
    }

    @Override
    public Cause cause() {
      return Cause.of(state.problem());
    }
  }

  /** A machine no longer has the unit. */
  public record StateGone(UnitName unit, String machine) implements Body {
    @Override
    public Kind kind() {
      return Kind.STATE_GONE;
    }
  }

  /**
   * A machine came, or its description changed.
   *
   * @param joined whether it was not there before
   */
  public record MachineChanged(Machine machine, boolean joined) implements Body {
    @Override
    public Kind kind() {
      return Kind.MACHINE;
    }

    @Override
    public Cause cause() {
      return joined ? Cause.of("joined") : Cause.NONE;
    }
  }

  public record MachineGone(String machine, String why) implements Body {
    @Override
    public Kind kind() {
      return Kind.MACHINE_GONE;
    }

    @Override
    public Cause cause() {
      return Cause.of(why);
    }
  }

  /** Too many machines vanished at once: units of lost machines stay where they are for now. */
  public record ReschedulingPaused(Absences.Pause pause) implements Body {
    @Override
    public Kind kind() {
      return Kind.RESCHEDULING_PAUSED;
    }

    @Override
    public Cause cause() {
      return Cause.of(pause.text());
    }
  }

  /**
   * Units of lost machines move again.
   *
   * @param by who asked for it; empty where nobody did
   */
  public record ReschedulingResumed(String by, String why) implements Body {
    @Override
    public Kind kind() {
      return Kind.RESCHEDULING_RESUMED;
    }

    @Override
    public Cause cause() {
      return new Cause(by, why);
    }
  }

  /** Events between the asked position and this one are no longer kept: read everything again. */
  public record Gap() implements Body {
    @Override
    public Kind kind() {
      return Kind.GAP;
    }
  }
}
