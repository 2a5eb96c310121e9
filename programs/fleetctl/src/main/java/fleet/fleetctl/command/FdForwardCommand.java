package fleet.fleetctl.command;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Joins standard input and output to a socket: the far end of a connection through ssh. */
@Command(
    name = "fd-forward",
    hidden = true,
    header = "Connect standard input and output with a socket",
    customSynopsis = "SOCKET",
    description = {
      "fleetctl of another machine runs this, for --tunnel and endpoints ssh://HOST. A key that may",
      "do nothing else: restrict,command=\"fleetctl fd-forward /run/fleet.sock\" in authorized_keys."
    },
    exitCodeList = {"0:the other side has closed the connection", "1:nobody listens there"},
    footer = {"fleetctl fd-forward /run/fleet.sock"})
final class FdForwardCommand extends FleetCommand {

  @Parameters(arity = "0..*", hidden = true)
  List<String> sockets = new ArrayList<>();

  @Override
  int run() throws CommandException {
    if (sockets.size() != 1) {
      throw CommandException.usage("Provide a single argument");
    }
    try (SocketChannel socket =
        SocketChannel.open(UnixDomainSocketAddress.of(sockets.getFirst()))) {
      Thread.ofPlatform().daemon().name("requests").start(() -> send(socket));
      output().copy(Channels.newInputStream(socket));
      return ExitCode.OK;
    } catch (IOException | IllegalArgumentException e) {
      throw CommandException.failed("Failed dialing remote address: " + e.getMessage());
    }
  }

  /** Sends what comes, and passes on its end: the answer may still be on its way. */
  private static void send(SocketChannel socket) {
    ByteBuffer buffer = ByteBuffer.allocate(16 * 1024);
    try (InputStream in = new FileInputStream(FileDescriptor.in)) {
      for (int n = in.read(buffer.array()); n >= 0; n = in.read(buffer.array())) {
        buffer.position(0).limit(n);
        while (buffer.hasRemaining()) {
          int _ = socket.write(buffer);
        }
      }
      SocketChannel _ = socket.shutdownOutput();
    } catch (IOException over) {
      // The other side has gone, which ends the answers as well.
      return;
    }
  }
}
