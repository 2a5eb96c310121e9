package fleet.trust;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.machine.Role;
import fleet.core.testing.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenewalTest {

  private static final String MACHINE = "a9e17000000000000000000000000001";

  @TempDir Path directory;

  @Test
  void isDueWhenHalfOfItsLifeIsOver() throws Exception {
    SetClock clock = SetClock.now();
    try (EnrollingCluster cluster = new EnrollingCluster(directory, clock, Duration.ofDays(90))) {
      assertThat(cluster.server().get().renewalDue())
          .isEqualTo(clock.instant().plus(Duration.ofDays(45)));
    }
  }

  @Test
  void happensByItself() throws Exception {
    SetClock clock = SetClock.now();
    try (EnrollingCluster cluster = new EnrollingCluster(directory, clock, Duration.ofDays(30))) {
      IdentityFile file = cluster.file();
      Identity first =
          file.obtain(
              MACHINE, cluster.redeeming(cluster.token(Role.AGENT, EnrollingCluster.DAY), MACHINE));
      OwnIdentity own = new OwnIdentity(first, clock);
      BlockingQueue<IssuedCertificate> made = new LinkedBlockingQueue<>();
      CountDownLatch over = new CountDownLatch(1);
      Renewal.Sleep passing =
          (_, within) -> {
            clock.advance(within);
            boolean hasExpired = clock.instant().isAfter(first.expires());
            if (hasExpired) {
              over.countDown();
            }
            return hasExpired;
          };
      try (Renewal _ =
          Renewal.start(own, file, request -> noted(made, cluster, own, request), clock, passing)) {
        over.await();
      }

      assertThat(made).as("at half of the time of each").hasSize(2);
      assertThat(own.get().certificate()).isNotEqualTo(first.certificate());
      assertThat(own.get().key()).isNotEqualTo(first.key());
      // By now the first has expired: what counts is what renewal put in its place.
      assertThat(Handshake.between(own, cluster.server()).seenByServer())
          .contains(new Peer(MACHINE, Role.AGENT));
      assertThat(file.read()).isEqualTo(Optional.of(own.get()));
    }
  }

  private static IssuedCertificate noted(
      BlockingQueue<IssuedCertificate> made,
      EnrollingCluster cluster,
      OwnIdentity own,
      CertificateRequest request)
      throws TrustException {
    IssuedCertificate certified =
        cluster.enrolment.renew(
            own.get().peer(),
            Fingerprint.ofKey(own.get().certificate().getPublicKey()),
            request.der());
    made.add(certified);
    return certified;
  }

  @Test
  void isTriedAgainUntilItWorks() throws Exception {
    SetClock clock = SetClock.now();
    try (EnrollingCluster cluster = new EnrollingCluster(directory, clock)) {
      IdentityFile file = cluster.file();
      Identity first =
          file.obtain(
              EnrollingCluster.SERVER, cluster.authority.issuerForServer(EnrollingCluster.SERVER));
      OwnIdentity own = new OwnIdentity(first, clock);
      clock.advance(Duration.ofDays(300));
      BlockingQueue<String> tries = new LinkedBlockingQueue<>();
      AtomicBoolean refused = new AtomicBoolean();
      Issuer failsOnce =
          request -> {
            if (refused.compareAndSet(false, true)) {
              tries.add("refused");
              throw new IOException("nobody is there");
            }
            tries.add("answered");
            return cluster.authority.issuerForServer(EnrollingCluster.SERVER).issue(request);
          };
      try (Renewal _ = Renewal.start(own, file, failsOnce, clock)) {
        assertThat(tries.take()).isEqualTo("refused");
        assertThat(tries.take()).isEqualTo("answered");
        // The only work left is to write a small file.
        Await.until(() -> !own.get().equals(first));
      }
      assertThat(own.get().expires()).isEqualTo(clock.instant().plus(StoredAuthority.LIFE));
    }
  }

  @Test
  void isTriedLessAndLessUntilItIsOnceAnHour() throws Exception {
    SetClock clock = SetClock.now();
    try (EnrollingCluster cluster = new EnrollingCluster(directory, clock)) {
      IdentityFile file = cluster.file();
      OwnIdentity own =
          new OwnIdentity(
              file.obtain(
                  EnrollingCluster.SERVER,
                  cluster.authority.issuerForServer(EnrollingCluster.SERVER)),
              clock);
      clock.advance(Duration.ofDays(300));
      Instant end = clock.instant().plus(Duration.ofDays(1));
      AtomicInteger tries = new AtomicInteger();
      CountDownLatch over = new CountDownLatch(1);
      Issuer fails =
          _ -> {
            tries.incrementAndGet();
            throw new IOException("nobody is there");
          };
      Renewal.Sleep passing =
          (by, within) -> {
            clock.advance(within.isNegative() ? Duration.ZERO : within);
            if (clock.instant().isBefore(end)) {
              return false;
            }
            over.countDown();
            by.await();
            return true;
          };
      try (Renewal _ = Renewal.start(own, file, fails, clock, passing)) {
        over.await();
      }
      // 1 + 2 + 4 and so on make an hour with the twelfth; one each hour is left.
      assertThat(tries.get()).isBetween(30, 40);
    }
  }
}
