package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.cluster.Caller;
import fleet.core.machine.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityFileTest {

  private static final String MACHINE = "a9e17000000000000000000000000001";

  @TempDir Path directory;
  private final SetClock clock = SetClock.now();
  private EnrollingCluster cluster;
  private Path path;
  private IdentityFile file;

  @BeforeEach
  void begin() throws Exception {
    cluster = new EnrollingCluster(directory, clock);
    path = directory.resolve("identity.pem");
    file = new IdentityFile(path);
  }

  @AfterEach
  void end() {
    cluster.close();
  }

  private Identity obtained() throws Exception {
    cluster.bindings.readmit(MACHINE, new Caller("test"));
    return file.obtain(
        MACHINE, cluster.redeeming(cluster.token(Role.AGENT, EnrollingCluster.DAY), MACHINE));
  }

  @Test
  void anIdentityIsKept() throws Exception {
    assertThat(file.read()).isEmpty();

    Identity first = obtained();
    assertThat(new IdentityFile(path).read()).isEqualTo(Optional.of(first));

    Identity second = obtained();
    assertThat(file.read()).isEqualTo(Optional.of(second)).isNotEqualTo(Optional.of(first));
    assertThat(file.kept(identity -> identity.equals(first))).isEmpty();
  }

  @Test
  void nobodyElseMayReadIt() throws Exception {
    obtained();
    obtained();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
    try (var files = Files.list(directory)) {
      assertThat(files.filter(Files::isRegularFile)).containsExactly(path);
    }
  }

  @Test
  void whatALostMachineLeftBehindIsReplaced() throws Exception {
    Files.writeString(directory.resolve("identity.pem.new"), "half of a");

    assertThat(file.read()).isEmpty();
    assertThat(file.read()).isEmpty();
    assertThat(Optional.of(obtained())).isEqualTo(file.read());
  }

  @Test
  void aDamagedFileIsNamed() throws Exception {
    obtained();
    String text = Files.readString(path);

    for (String damaged :
        new String[] {"", text.substring(0, 600), text.replace('A', 'B'), "\u00e4"}) {
      Files.writeString(path, damaged);
      assertThatThrownBy(file::read)
          .isInstanceOf(TrustException.class)
          .hasMessageStartingWith(path + " holds no identity of a machine");
    }
  }

  @Test
  void aCertificateForAnotherMachineIsNotTaken() {
    assertThatThrownBy(() ->
            file.obtain(
                MACHINE,
                cluster.redeeming(cluster.token(Role.AGENT, EnrollingCluster.DAY), "another")))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("is for agent another");
    assertThat(path).doesNotExist();
  }

  @Test
  void aCertificateForAnotherKeyIsNotTaken() throws Exception {
    TokenText token = cluster.token(Role.AGENT, EnrollingCluster.DAY);

    assertThatThrownBy(() ->
            file.obtain(
                MACHINE,
                request ->
                    cluster.enrolment.enrol(
                        token.id(), token.secret(), MACHINE, CertificateRequest.of(MACHINE).der())))
        .isInstanceOf(TrustException.class)
        .hasMessageContaining("do not belong together");
  }
}
