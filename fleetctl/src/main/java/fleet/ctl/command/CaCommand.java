package fleet.ctl.command;

import fleet.ctl.client.FleetClient;
import fleet.ctl.client.FleetException;
import fleet.ctl.output.Output;
import fleet.ctl.table.Table;
import fleet.ctl.wait.Rotating;
import fleet.entities.AuthoritiesEntity;
import fleet.entities.AuthorityEntity;
import fleet.entities.BehindEntity;
import fleet.entities.RotationEntity;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and replaces the authority that vouches for the machines of the cluster. */
@Command(
    name = "ca",
    header = "Show or replace the authority that vouches for machines",
    customSynopsis = "[status] | rotate [--finish] [--block-attempts=N | --no-block]",
    description = {
      "status: the authorities, which machines a replacement has not reached or has lost, and when",
      "the first certificate of a machine ends.",
      "rotate: replaces the authority while the cluster runs. All machines that are there learn of the",
      "new one, then it signs and they renew their certificates, then the former one is believed no",
      "more. Units are not touched. Tokens of the former one end. Machines that are away are waited",
      "for, until their certificates have ended; --finish does not wait for them, and they need a token",
      "to come back. Machines that are there are never lost.",
      "It goes on in the cluster, whoever leads it: also when this command is interrupted. Run it again",
      "to follow."
    },
    exitCodeList = {
      "0:status: one authority, and no machine is behind; rotate: it is replaced",
      "1:fleetd could not be asked or refused; there is no authority yet",
      "3:it is being replaced, or a machine is behind",
      "130:the wait was interrupted; the replacement goes on"
    },
    footer = {"fleetctl ca status", "fleetctl ca rotate", "fleetctl ca rotate --finish"})
final class CaCommand extends FleetCommand {

  private static final int BRIEF = 16;

  @Parameters(arity = "0..*", hidden = true)
  List<String> words = List.of();

  @Option(
      names = "--finish",
      description =
          "rotate: do not wait for machines that are away; they need a token to come back.")
  boolean finish;

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  public int run(Session session) throws CommandException, FleetException {
    String action = words.isEmpty() ? "status" : words.getFirst();
    if (words.size() > 1) {
      throw CommandException.usage("Error: unexpected argument: " + words.get(1));
    }
    if (finish && !action.equals("rotate")) {
      throw CommandException.usage("Error: --finish is for rotate");
    }
    return switch (action) {
      case "status" -> status(session.output(), client(session).authorities());
      case "rotate" -> rotate(session);
      default ->
          throw CommandException.usage(
              "Error: unknown action \"" + action + "\": expect status or rotate");
    };
  }

  private int rotate(Session session) throws CommandException, FleetException {
    FleetClient client = client(session);
    AuthoritiesEntity begun = client.rotateAuthority(finish);
    if (wait.noBlock) {
      return begun.rotation() == null ? ExitCode.OK : ExitCode.CHANGES;
    }
    return new Rotating(client, session.output(), wait.blockAttempts).follow()
        ? ExitCode.OK
        : ExitCode.CHANGES;
  }

  private static int status(Output output, AuthoritiesEntity status) throws CommandException {
    List<AuthorityEntity> authorities = orNone(status.authorities());
    if (authorities.isEmpty()) {
      throw CommandException.failed(
          "Error: the cluster has no authority yet: it is made with the first token");
    }
    output.text(table(authorities));
    if (status.nextEnd() != null) {
      output.line("The first certificate of a machine ends " + status.nextEnd() + ".");
    }
    if (!status.serverKey()) {
      output.problem("The server that leads has no server.key for it.");
    }
    RotationEntity rotation = status.rotation();
    if (rotation != null) {
      output.line(text(rotation));
    }
    List<BehindEntity> machines = orNone(status.machines());
    machines.forEach(machine -> output.line(text(machine, rotation != null)));
    return rotation == null && machines.isEmpty() ? ExitCode.OK : ExitCode.CHANGES;
  }

  private static String table(List<AuthorityEntity> authorities) {
    Table table = new Table();
    table.row(List.of("AUTHORITY", "STANDING", "SINCE", "UNTIL", "MACHINES"));
    for (AuthorityEntity authority : authorities) {
      String sha256 = authority.sha256();
      table.row(
          List.of(
              sha256.substring(0, Math.min(BRIEF, sha256.length())),
              authority.standing(),
              authority.since(),
              authority.until(),
              Integer.toString(authority.machines())));
    }
    return table.render();
  }

  private static String text(RotationEntity rotation) {
    String stage =
        rotation.stage().equals("signing")
            ? "the new authority signs; the former one is believed until %s at the latest"
                .formatted(Objects.requireNonNullElse(rotation.until(), "then"))
            : "machines learn of the next authority";
    String away = rotation.finish() ? "; machines that are away are not waited for" : "";
    return "Replaced by %s, since %s: %s%s."
        .formatted(rotation.by(), rotation.since(), stage, away);
  }

  private static String text(BehindEntity machine, boolean isGoingOn) {
    String ends = machine.ends() == null ? "" : ", its certificate ends " + machine.ends();
    String back = isGoingOn ? "" : ": it needs a token to come back";
    return "Machine %s (%s) is behind and %s%s%s"
        .formatted(
            machine.machine(), machine.role(), machine.present() ? "there" : "away", ends, back);
  }

  private static <T> List<T> orNone(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }
}
