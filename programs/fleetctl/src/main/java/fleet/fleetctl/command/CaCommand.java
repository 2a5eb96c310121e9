package fleet.fleetctl.command;

import fleet.entities.AuthoritiesEntity;
import fleet.entities.AuthorityEntity;
import fleet.entities.BehindEntity;
import fleet.entities.EntityJson;
import fleet.entities.EtcdCertificatesEntity;
import fleet.entities.RotationEntity;
import fleet.fleetctl.client.ApiException;
import fleet.fleetctl.client.FleetClient;
import fleet.fleetctl.client.FleetException;
import fleet.fleetctl.output.LocalTimes;
import fleet.fleetctl.output.Output;
import fleet.fleetctl.table.Listing;
import fleet.fleetctl.wait.RotationMonitor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows and replaces the certificate authority of the cluster. */
@Command(
    name = "ca",
    header = "Show or replace the certificate authority of the cluster",
    customSynopsis =
        "[status] [--json] | rotate [--finish] [--block-attempts=N | --no-block] | etcd NAME[,NAME]..."
            + " --out=DIRECTORY",
    description = {
      "status: shows the authorities, which machines a replacement has not reached or has lost,",
      "and when the first certificate of a machine ends.",
      "rotate: replaces the authority while the cluster runs. First all machines that are present",
      "learn of the new authority. Then it signs, and they renew their certificates. Then the",
      "former authority is no longer trusted. Units are not touched, and machines that are",
      "present are never lost. Tokens of the former authority become invalid. The rotation waits",
      "for absent machines until their certificates have ended; with --finish it does not wait,",
      "and they need a token to come back.",
      "The rotation continues in the cluster if this command is interrupted, and if the leader",
      "changes. Run the command again to follow it.",
      "etcd: makes certificates for the members of etcd, from an authority for etcd alone. Each",
      "argument lists the names and addresses of one member. For each, a directory of the first",
      "name is made in DIRECTORY, with ca.crt, server.crt and server.key for etcd, and fleetd.crt",
      "and fleetd.key for etcd_certfile= and etcd_keyfile=. They are valid for two years; status",
      "shows when they end, and fleetd warns a month before."
    },
    exitCodeList = {
      "0:status: one authority, and no machine is behind; rotate: the authority was replaced",
      "1:fleetd could not be asked or refused; there is no authority yet",
      "3:a replacement is under way, or a machine is behind",
      "130:the wait was interrupted; the replacement continues"
    },
    footer = {
      "fleetctl ca status",
      "fleetctl ca status --json",
      "fleetctl ca rotate",
      "fleetctl ca rotate --finish",
      "fleetctl ca etcd 10.0.0.1,node1 10.0.0.2,node2 --out=etcd-tls"
    })
final class CaCommand extends CommandGroup {

  private static final String ETCD = "ca etcd NAME[,NAME]... --out=DIRECTORY";
  private static final int BRIEF = 16;

  @Option(
      names = "--finish",
      description = "rotate: do not wait for absent machines; they need a token to come back.")
  boolean finish;

  @Option(
      names = "--out",
      paramLabel = "DIRECTORY",
      description = "etcd: the directory for the files.")
  @Nullable String out;

  @Option(
      names = "--json",
      description = "status: print the JSON object of the API; see docs/api.md.")
  boolean json;

  @Mixin WaitOptions wait = new WaitOptions();

  @Override
  int run() throws CommandException, FleetException {
    String action = action("status");
    if (json && !action.equals("status")) {
      throw CommandException.usage("Error: --json is for status");
    }
    if (out != null && !action.equals("etcd")) {
      throw CommandException.usage("Error: --out is for etcd");
    }
    if (finish && !action.equals("rotate")) {
      throw CommandException.usage("Error: --finish is for rotate");
    }
    return switch (action) {
      case "status" -> {
        var _ = arguments(0, 0, "ca status");
        yield status(output(), client().machines().authorities());
      }
      case "rotate" -> {
        var _ = arguments(0, 0, "ca rotate");
        yield rotate();
      }
      case "etcd" -> etcd(arguments(1, Integer.MAX_VALUE, ETCD));
      default -> throw unknown("status, rotate or etcd");
    };
  }

  private int rotate() throws CommandException, FleetException {
    FleetClient client = client();
    AuthoritiesEntity begun = client.machines().rotateAuthority(finish);
    if (wait.noBlock) {
      return begun.rotation() == null ? ExitCode.OK : ExitCode.CHANGES;
    }
    return new RotationMonitor(client, output(), wait.blockAttempts).follow()
        ? ExitCode.OK
        : ExitCode.CHANGES;
  }

  private int etcd(List<String> members) throws CommandException, FleetException {
    if (out == null) {
      throw CommandException.usage("Error: --out is missing: expect fleetctl " + ETCD);
    }
    FleetClient client = client();
    for (String member : members) {
      List<String> names = List.of(member.split(",", -1));
      EtcdCertificatesEntity made = certified(client, names);
      Path directory = session().directory().resolve(out).resolve(names.getFirst());
      try {
        new EtcdFiles(directory).write(made);
      } catch (IOException e) {
        throw CommandException.failed("Error: cannot write to %s: %s".formatted(directory, e));
      }
      output()
          .line(
              "Wrote %s, good until %s."
                  .formatted(directory, made.ends().isEmpty() ? "?" : LocalTimes.of(made.ends())));
    }
    return ExitCode.OK;
  }

  private static EtcdCertificatesEntity certified(FleetClient client, List<String> names)
      throws CommandException, FleetException {
    try {
      return client.machines().certifyEtcd(names);
    } catch (ApiException e) {
      throw CommandException.of(e);
    }
  }

  private int status(Output output, AuthoritiesEntity status) throws CommandException {
    List<AuthorityEntity> authorities = status.authorities();
    if (authorities.isEmpty()) {
      throw CommandException.failed(
          "Error: the cluster has no authority yet: it is made with the first token");
    }
    if (json) {
      output.line(new EntityJson().text(status));
    } else {
      show(output, status, authorities);
    }
    return status.rotation() == null && status.machines().isEmpty()
        ? ExitCode.OK
        : ExitCode.CHANGES;
  }

  private static void show(
      Output output, AuthoritiesEntity status, List<AuthorityEntity> authorities) {
    output.text(table(authorities));
    if (!status.nextEnd().isEmpty()) {
      output.line(
          "The first certificate of a machine ends " + LocalTimes.of(status.nextEnd()) + ".");
    }
    if (!status.serverKey()) {
      output.problem("The server that leads has no server.key for it.");
    }
    status
        .etcd()
        .forEach((member, ends) ->
            output.line(
                "The certificates for etcd on %s end %s.".formatted(member, LocalTimes.of(ends))));
    RotationEntity rotation = status.rotation();
    if (rotation != null) {
      output.line(text(rotation));
    }
    status.machines().forEach(machine -> output.line(text(machine, rotation != null)));
  }

  private static String table(List<AuthorityEntity> authorities) {
    return new Listing<AuthorityEntity>()
        .with("authority", one -> one.sha256().substring(0, Math.min(BRIEF, one.sha256().length())))
        .with("standing", AuthorityEntity::standing)
        .with("since", one -> LocalTimes.of(one.since()))
        .with("until", one -> LocalTimes.of(one.until()))
        .with("machines", one -> Integer.toString(one.machines()))
        .render(authorities, true);
  }

  private static String text(RotationEntity rotation) {
    String stage =
        rotation.stage().equals("signing")
            ? "the new authority signs; the former one is believed until %s at the latest"
                .formatted(rotation.until().isEmpty() ? "then" : LocalTimes.of(rotation.until()))
            : "machines learn of the next authority";
    String away = rotation.finish() ? "; machines that are away are not waited for" : "";
    return "Replaced by %s, since %s: %s%s."
        .formatted(rotation.by(), LocalTimes.of(rotation.since()), stage, away);
  }

  private static String text(BehindEntity machine, boolean isGoingOn) {
    String ends =
        machine.ends().isEmpty() ? "" : ", its certificate ends " + LocalTimes.of(machine.ends());
    String back = isGoingOn ? "" : ": it needs a token to come back";
    return "Machine %s (%s) is behind and %s%s%s"
        .formatted(
            machine.machine(),
            machine.role(),
            machine.present() ? "connected" : "away",
            ends,
            back);
  }
}
