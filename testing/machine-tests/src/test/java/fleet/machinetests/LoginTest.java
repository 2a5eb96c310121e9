package fleet.machinetests;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.testkit.BackgroundTasks;
import fleet.testkit.FleetMachine;
import fleet.testkit.JoinedCluster;
import fleet.testkit.Machines;
import fleet.testkit.MachinesExtension;
import fleet.testkit.Result;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Three machines of a cluster, and a fourth that is not in it: people log in from there. */
@ExtendWith(MachinesExtension.class)
class LoginTest {

  private static final String IDENTITY = "/root/.config/fleet/identities/prod.pem";
  private static final String PORT = "50060";

  private static JoinedCluster cluster;
  private static FleetMachine laptop;

  @BeforeAll
  static void boot(Machines machines) {
    cluster = JoinedCluster.boot(machines, 2);
    laptop = new FleetMachine(machines.boot());
    assertThat(listening()).as("nobody was invited yet").doesNotContain(":" + PORT);
    server().sleeper("web@1.service").sleeper("db.service");
    server().succeed("start", "web@1.service", "db.service");
  }

  private static String listening() {
    return server().machine().succeed("ss", "-ltnH");
  }

  private static FleetMachine server() {
    return cluster.server();
  }

  @BeforeEach
  void forget() {
    server().fleetctl("access", "revoke", "alice");
    laptop.fleetctl("context", "remove", "prod");
  }

  /** The words after {@code fleetctl} of the command that is printed for the laptop. */
  private static String[] invited(String... grant) {
    String[] words = new String[grant.length + 3];
    words[0] = "access";
    words[1] = "invite";
    words[2] = "alice";
    System.arraycopy(grant, 0, words, 3, grant.length);
    String[] printed = server().succeed(words).strip().split(" ", -1);
    assertThat(printed).hasSize(4).startsWith("fleetctl", "login");
    assertThat(printed[2]).isEqualTo(server().machine().address() + ":" + PORT);
    return new String[] {"login", printed[2], printed[3], "--context=prod"};
  }

  @Test
  void aPersonCommandsFromElsewhereWithinTheGrant() {
    laptop.succeed(invited("--role=operator", "--unit=web@*"));

    assertThat(listening()).contains(":" + PORT);
    assertThat(laptop.machine().succeed("stat", "-c", "%a", IDENTITY).strip()).isEqualTo("600");
    assertThat(laptop.succeed("list-units")).contains("web@1.service").doesNotContain("db.service");
    assertThat(laptop.succeed("list-machines", "--no-legend").lines()).hasSize(3);
    laptop.succeed("stop", "web@1.service");
    laptop.succeed("start", "web@1.service");
    assertThat(laptop.succeed("status", "web@1.service")).contains("active (running)");

    Result stop = laptop.fleetctl("stop", "db.service");
    assertThat(stop.ok()).isFalse();
    Result token = laptop.fleetctl("token");
    assertThat(token.ok()).isFalse();
    assertThat(token.stderr())
        .contains("person alice may not list, make or revoke join tokens")
        .contains("fleetctl access grant person:alice --role=admin");
    assertThat(server().succeed("audit", "--subject=alice", "--lines=all"))
        .contains("person alice: unit.put web@1.service done")
        .contains("person alice: token.create");
    assertThat(server().succeed("audit", "--lines=all"))
        .containsPattern("\\d: person.login person:alice done: invitation [0-9a-f]{8}, ");
  }

  @Test
  void revokingEndsALoginForGood() {
    laptop.succeed(invited("--role=operator"));
    laptop.machine().succeed("cp", "-a", IDENTITY, "/root/copy.pem");
    CompletableFuture<Result> following =
        BackgroundTasks.the(() -> laptop.fleetctl("events", "-f"));
    server()
        .machine()
        .await(
            "the stream is open",
            () ->
                server()
                    .machine()
                    .succeed("ss", "-tnH", "state", "established", "sport = :" + PORT)
                    .contains(laptop.machine().address()));

    server().succeed("access", "revoke", "alice");

    assertThat(following.join().ok()).as("the open stream ends").isFalse();
    Result refused = laptop.fleetctl("list-units");
    assertThat(refused.ok()).isFalse();
    assertThat(refused.stderr()).contains("this login has ended");

    server().succeed("access", "grant", "alice", "--role=admin");
    assertThat(laptop.fleetctl("list-units").ok()).as("after a new grant").isFalse();
    laptop.succeed(invited());
    laptop.succeed("list-units");
    laptop.machine().succeed("cp", "-a", "/root/copy.pem", IDENTITY);
    assertThat(laptop.fleetctl("list-units").ok()).as("the copy of the old one").isFalse();
  }

  @Test
  void aRenewalIsPartOfAnOrdinaryCommand() {
    laptop.succeed(invited("--role=viewer"));
    String before = laptop.machine().read(IDENTITY);
    laptop.machine().succeed("touch", "-d", "4 days ago", IDENTITY);

    Result listed = laptop.fleetctl("list-units");

    assertThat(listed.ok()).isTrue();
    assertThat(listed.stderr()).isEmpty();
    assertThat(laptop.machine().read(IDENTITY)).isNotEqualTo(before);
    laptop.succeed("list-units");
    assertThat(server().succeed("audit", "--lines=all"))
        .contains("person alice: certificate.renew person:alice done");
  }

  @Test
  void codesThatAreNotGoodAndServersThatAreNoneAreNamed() {
    String[] login = invited("--role=viewer");
    login[1] = cluster.joined(1).machine().address() + ":" + PORT;
    assertThat(laptop.fleetctl(login).stderr()).contains("nobody listens on https://" + login[1]);
    login[1] = server().machine().address() + ":50059";
    assertThat(laptop.fleetctl(login).ok()).as("the port for machines").isFalse();
    login[1] = server().machine().address();
    laptop.succeed(login);
    assertThat(laptop.fleetctl(login).stderr()).contains("the code was used at");

    String[] second = invited();
    assertThat(server().succeed("access", "list")).contains("yes, invited until ");
    server().succeed("access", "revoke", "alice");
    assertThat(laptop.fleetctl(second).stderr())
        .contains("the code is unknown, or its invitation was revoked");
  }

  /** It shows what a machine has for the port of machines. */
  @Test
  void aMachineIsNoPerson() {
    server().succeed("access", "invite", "alice", "--role=viewer");
    String curl =
        "curl -sk --cert /var/lib/fleet/identity.pem --key /var/lib/fleet/identity.pem https://%s:%s/fleet/v1/units"
            .formatted(server().machine().address(), PORT);
    Result asked = cluster.joined(1).machine().run("sh", "-c", curl);
    assertThat(asked.stdout()).contains("is none of a person");
    Result stranger = laptop.machine().run("sh", "-c", curl.replaceAll("--(cert|key) \\S+ ", ""));
    assertThat(stranger.stdout()).contains("it has not logged in");
  }
}
