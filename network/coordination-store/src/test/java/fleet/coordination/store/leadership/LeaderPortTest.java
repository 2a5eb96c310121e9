package fleet.coordination.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import fleet.coordination.EventLoop;
import fleet.coordination.EventThread;
import fleet.core.machine.HostPort;
import fleet.core.testing.Await;
import fleet.core.testing.ServerPorts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a leader listens, and the lines that others hold to it. */
class LeaderPortTest {

  private static final int HANGS_MILLIS = 600_000;

  private final EventLoop loop = new EventThread("test", () -> {});
  private final Semaphore ended = new Semaphore(0);

  @AfterEach
  void endLoop() {
    loop.close();
  }

  private static HostPort at(LeaderPort port) {
    return HostPort.parse(port.address()).orElseThrow();
  }

  private static Socket connect(LeaderPort port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), at(port).port());
  }

  /** One that nobody takes, nor connects from, once it is closed. */
  private LeaderPort open() {
    return LeaderPort.open(loop, "127.0.0.1", ServerPorts.take(1).getFirst());
  }

  @Test
  void aLineTellsThatNobodyListensAnyMore() throws Exception {
    LeaderPort port = open();
    try (CapturedLog attempts = new CapturedLog(LeaderProbe.class, Level.DEBUG);
        LeaderProbe line = new LeaderProbe(loop, at(port), ended::release)) {
      line.start();
      Await.until(() -> attempts.count("ACCEPTED") > 0);
      assertNotEnded();
      port.close();
      ended.acquire();
    }
  }

  @Test
  void aLineThatNeverWasProvesNothing() throws Exception {
    HostPort nobody;
    try (LeaderPort port = open()) {
      nobody = at(port);
    }
    try (CapturedLog attempts = new CapturedLog(LeaderProbe.class, Level.DEBUG);
        LeaderProbe line = new LeaderProbe(loop, nobody, ended::release)) {
      line.start();
      Await.until(() -> attempts.count("REFUSED") > 3);
      assertNotEnded();
    }
    assertThat(LeaderProbe.refuses(nobody)).isTrue();
    assertThat(LeaderProbe.answers(nobody)).isFalse();
  }

  /** As these fail on Linux; a firewall that rejects breaks no connection that there was. */
  @Test
  void onlyTheOtherMachineEndsAProcess() {
    assertThat(LeaderProbe.isRefusal(new ConnectException("Connection refused"))).isTrue();
    assertThat(LeaderProbe.isRefusal(new ConnectException("Connection timed out"))).isFalse();
    assertThat(LeaderProbe.isRefusal(new NoRouteToHostException("No route to host"))).isFalse();
    assertThat(LeaderProbe.isReset(new SocketException("Connection reset"))).isTrue();
    assertThat(LeaderProbe.isReset(new SocketException("Connection timed out"))).isFalse();
    assertThat(LeaderProbe.isReset(new SocketException("No route to host"))).isFalse();
  }

  /** By what was posted until now. */
  private void assertNotEnded() {
    assertThat(loop.<Integer>call(ended::availablePermits)).isZero();
  }

  @Test
  void aPortThatIsClosedLetsNobodyIn() {
    for (int i = 0; i < 100; i++) {
      HostPort nobody;
      try (LeaderPort port = open()) {
        nobody = at(port);
      }
      assertThat(LeaderProbe.refuses(nobody)).isTrue();
    }
  }

  /** As of a process that is frozen, or a machine that is cut off. */
  @Test
  void anAddressThatAnswersNothingProvesNothing() throws Exception {
    List<Socket> waiting = new ArrayList<>();
    try (ServerSocket frozen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      HostPort address = new HostPort("127.0.0.1", frozen.getLocalPort());
      for (int i = 0; i < 4; i++) {
        Socket socket = new Socket();
        waiting.add(socket);
        fillBacklog(socket, address);
      }
      // Both at once, as each waits for as long as a line does.
      CompletableFuture<Boolean> refused =
          CompletableFuture.supplyAsync(
              () -> LeaderProbe.refuses(address), Thread::startVirtualThread);
      assertThat(LeaderProbe.answers(address)).isFalse();
      assertThat(refused.join()).isFalse();
    } finally {
      for (Socket socket : waiting) {
        socket.close();
      }
    }
    assertThat(LeaderProbe.refuses(new HostPort("no.such.host.invalid", 4711))).isFalse();
  }

  private static void fillBacklog(Socket socket, HostPort address) throws IOException {
    try {
      socket.connect(new InetSocketAddress(address.host(), address.port()), 200);
    } catch (SocketTimeoutException e) {
      assertThat(socket.isConnected()).isFalse();
    }
  }

  @Test
  void guestsThatTalkOrAreTooManyAreSeenOffAndTheOthersStay() throws Exception {
    List<Socket> guests = new ArrayList<>();
    try (LeaderPort port = LeaderPort.open(loop, "127.0.0.1", 0)) {
      Socket talker = connect(port);
      talker.getOutputStream().write('G');
      talker.setSoTimeout(HANGS_MILLIS);
      assertThat(talker.getInputStream().read()).isEqualTo(-1);
      talker.close();
      for (int i = 0; i < LeaderPort.MOST_GUESTS + 20; i++) {
        guests.add(connect(port));
      }
      Socket last = guests.getLast();
      last.setSoTimeout(HANGS_MILLIS);
      assertThat(last.getInputStream().read()).isEqualTo(-1);
      Socket first = guests.removeFirst();
      first.close();
      Await.until(() -> stays(port));
    } finally {
      for (Socket guest : guests) {
        guest.close();
      }
    }
  }

  /** Whether a new guest is let in; the one after it, which takes no place, is seen off. */
  private static boolean stays(LeaderPort port) {
    try (Socket guest = connect(port);
        Socket after = connect(port)) {
      after.setSoTimeout(HANGS_MILLIS);
      assertThat(after.getInputStream().read()).isEqualTo(-1);
      guest.setSoTimeout(1);
      return guest.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aPortThatIsAnotherProgramsIsDoneWithout() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CapturedLog warnings = new CapturedLog(LeaderPort.class, Level.WARN);
        LeaderPort port = LeaderPort.open(loop, "127.0.0.1", other.getLocalPort())) {
      assertThat(port.address()).isEmpty();
      assertThat(warnings.messages())
          .singleElement()
          .asString()
          .contains("cannot listen on port " + other.getLocalPort(), "rpc_port", "lease");
    }
  }

  /** A line to the former address must not prove that the process has ended. */
  @Test
  void aPortThatMovesStaysOpenWhereItWas() throws Exception {
    try (LeaderPort port = open()) {
      int number = at(port).port();
      for (String host : List.of("127.0.0.2", "127.0.0.1", "127.0.0.2")) {
        port.move(host, Optional.empty());
        assertThat(port.address()).isEqualTo(host + ":" + number);
        new Socket(InetAddress.ofLiteral("127.0.0.1"), number).close();
        new Socket(InetAddress.ofLiteral("127.0.0.2"), number).close();
      }
      port.move("", Optional.empty());
      assertThat(port.address()).isEqualTo("127.0.0.2:" + number);
    }
  }

  @Test
  void anAddressThatARouterTranslatesIsListenedForOnAll() throws Exception {
    try (LeaderPort port = LeaderPort.open(loop, "192.0.2.1", 0)) {
      assertThat(port.address()).startsWith("192.0.2.1:");
      connect(port).close();
    }
  }

  @Test
  void addressesOfBothKindsAreReadAsTheyAreWritten() {
    for (HostPort one : List.of(new HostPort("10.0.0.1", 50_059), new HostPort("fd00::1", 1))) {
      assertThat(HostPort.parse(one.toString())).contains(one);
    }
    assertThat(HostPort.parse("")).isEmpty();
    assertThat(HostPort.parse("10.0.0.1")).isEmpty();
    assertThat(HostPort.parse("10.0.0.1:0")).isEmpty();
    assertThat(HostPort.parse("10.0.0.1:web")).isEmpty();
  }
}
