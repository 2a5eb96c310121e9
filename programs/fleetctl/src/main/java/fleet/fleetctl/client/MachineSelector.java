package fleet.fleetctl.client;

import fleet.entities.AbsentMachineEntity;
import fleet.entities.MachineEntity;
import fleet.entities.ReschedulingEntity;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the machine that a person means: by its id, its hostname, its address, the label that
 * listings show, the beginning of its id, or the first part of its hostname, in this order. Knows
 * the machines that are present, and the absent ones that matter. A machine that is lost or has
 * left does not make the name of another ambiguous: that one may have taken its place. Immutable.
 */
public final class MachineSelector {

  /** A machine may call itself as it likes: so much of another's id is no hostname. */
  private static final int SHORT_ID = 8;

  private static final int NAMED = 8;

  private static final Pattern LABEL = Pattern.compile("([^./]+)(?:\\.\\.\\.)?(?:/(.*))?");
  private static final Pattern WHOLE_ID = Pattern.compile("[0-9A-Za-z_-]{32,64}");

  /** Tried in this order: the first that fits any machine decides. */
  private static final List<BiPredicate<String, MachineEntity>> RULES =
      List.of(
          (word, machine) -> machine.id().equals(word),
          MachineSelector::isHostname,
          (word, machine) -> machine.primaryIP().equals(word),
          MachineSelector::isLabel,
          (word, machine) -> machine.id().startsWith(word),
          (word, machine) -> isFirstPart(word, machine.hostname()));

  private final List<MachineEntity> known;
  private final boolean presentFirst;

  /** For machines that were listed before. */
  public MachineSelector(List<MachineEntity> known) {
    this(known, true);
  }

  private MachineSelector(List<MachineEntity> known, boolean presentFirst) {
    this.known = known;
    this.presentFirst = presentFirst;
  }

  /** For commands that are as likely to mean a lost machine as the one in its place. */
  public MachineSelector strict() {
    return new MachineSelector(known, false);
  }

  /** Requests the machines of the cluster. */
  public static MachineSelector of(FleetClient client) throws FleetException {
    List<MachineEntity> known = new ArrayList<>(client.machines().list());
    ReschedulingEntity rescheduling = client.operations().rescheduling();
    known.addAll(rescheduling.departed());
    for (AbsentMachineEntity absent : rescheduling.absent()) {
      if (known.stream().noneMatch(machine -> machine.id().equals(absent.id()))) {
        known.add(absent.machine());
      }
    }
    return new MachineSelector(known);
  }

  /**
   * The id of the machine that a word means. A whole id that nobody has is left to fleetd, which
   * remembers more machines.
   *
   * @throws UnknownMachineException if it means none or several
   */
  public String id(String word) throws UnknownMachineException {
    if (word.isEmpty()) {
      throw none(word);
    }
    for (BiPredicate<String, MachineEntity> rule : RULES) {
      List<MachineEntity> meant =
          preferred(known.stream().filter(machine -> rule.test(word, machine)).toList());
      if (meant.size() == 1) {
        return meant.getFirst().id();
      }
      if (!meant.isEmpty()) {
        throw new UnknownMachineException(
            "several machines are called \"%s\": %s".formatted(word, named(meant, true)));
      }
    }
    if (WHOLE_ID.matcher(word).matches()) {
      return word;
    }
    throw none(word);
  }

  private List<MachineEntity> preferred(List<MachineEntity> meant) {
    List<MachineEntity> present =
        meant.stream().filter(machine -> machine.since().isEmpty()).toList();
    return presentFirst && !present.isEmpty() ? present : meant;
  }

  /** The ids of the machines that words mean, each once, in their order. */
  public Set<String> ids(List<String> words) throws UnknownMachineException {
    Set<String> ids = new LinkedHashSet<>();
    for (String word : words) {
      ids.add(id(word));
    }
    return ids;
  }

  public boolean knows(String id) {
    return known.stream().anyMatch(machine -> machine.id().equals(id));
  }

  /** The hostname of a machine if no other has it, else its label. */
  public String name(String id) {
    return new MachineNames(known).host(id);
  }

  /** The id that the option {@code --machine} means; empty if the option is. */
  public static String chosen(FleetClient client, String word) throws FleetException {
    return word.isEmpty() ? "" : of(client).id(word);
  }

  private UnknownMachineException none(String word) {
    return new UnknownMachineException(
        "no machine is called \"%s\": there %s %s"
            .formatted(
                word,
                known.size() == 1 ? "is" : "are",
                known.isEmpty() ? "none" : named(known, false)));
  }

  private static boolean isHostname(String word, MachineEntity machine) {
    return machine.hostname().equalsIgnoreCase(word)
        || (word.length() >= SHORT_ID && machine.id().startsWith(word));
  }

  /** {@code 113f16a7...}, with an address behind a slash or without. */
  private static boolean isLabel(String word, MachineEntity machine) {
    Matcher label = LABEL.matcher(word);
    return (word.contains("...") || word.contains("/"))
        && label.matches()
        && machine.id().startsWith(label.group(1))
        && (label.group(2) == null || label.group(2).equals(machine.primaryIP()));
  }

  /** Whether one of the two is the other without its domain. */
  private static boolean isFirstPart(String word, String hostname) {
    return !hostname.isEmpty()
        && hostname.contains(".") != word.contains(".")
        && firstPart(hostname).equalsIgnoreCase(firstPart(word));
  }

  private static String firstPart(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private static String named(List<MachineEntity> machines, boolean full) {
    String names =
        machines.stream()
            .limit(NAMED)
            .map(machine -> name(machine, full))
            .collect(Collectors.joining(", "));
    int more = machines.size() - NAMED;
    return more > 0 ? names + " and %d more, see: fleetctl list-machines".formatted(more) : names;
  }

  private static String name(MachineEntity machine, boolean full) {
    String id = MachineNames.shown(machine.id(), full);
    return machine.hostname().isEmpty() ? id : machine.hostname() + " (" + id + ")";
  }
}
