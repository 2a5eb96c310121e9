package fleet.rpc.enrol;

import fleet.core.fault.SystemCallFault;
import fleet.core.machine.HostPort;
import fleet.trust.EnrolmentRefusedException;
import fleet.trust.OtherClusterException;
import fleet.trust.TrustException;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Asks servers one after the other, until one answers. */
final class EnrolmentServers {

  private static final long PATIENCE_SECONDS = 10;

  /** A server that is switched off does not answer at all, and the next one may be there. */
  private static final int CONNECT_MILLIS = 3_000;

  private final List<HostPort> addresses;
  private final ChannelOpener opener;

  /** Opens a channel to a server. */
  @FunctionalInterface
  interface ChannelOpener {
    ManagedChannel open(HostPort address) throws IOException;
  }

  EnrolmentServers(List<HostPort> addresses, ChannelOpener opener) {
    this.addresses = List.copyOf(addresses);
    this.opener = opener;
  }

  static ChannelOpener with(ChannelCredentials credentials) {
    return address ->
        NettyChannelBuilder.forAddress(address.host(), address.port(), credentials)
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .build();
  }

  /**
   * The first answer.
   *
   * @throws EnrolmentRefusedException if a server refuses this machine, or all are of another
   *     cluster
   * @throws TrustException if none of them can be trusted now
   * @throws IllegalArgumentException if a server finds the question wrong
   * @throws IOException if no server can answer now
   */
  <Q, A> A ask(MethodDescriptor<Q, A> method, Q question) throws TrustException, IOException {
    List<Exception> failures = new ArrayList<>();
    for (HostPort address : addresses) {
      try {
        return ask(address, method, question);
      } catch (StatusRuntimeException e) {
        failures.add(meaning(address, e));
      } catch (IOException e) {
        failures.add(e);
      }
    }
    throw together(failures);
  }

  private <Q, A> A ask(HostPort address, MethodDescriptor<Q, A> method, Q question)
      throws IOException {
    ManagedChannel channel = opener.open(address);
    try {
      return ClientCalls.blockingUnaryCall(
          channel,
          method,
          CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
          question);
    } finally {
      channel.shutdownNow();
    }
  }

  private static Exception meaning(HostPort address, StatusRuntimeException failure)
      throws EnrolmentRefusedException {
    String description = String.valueOf(failure.getStatus().getDescription());
    String said = "server " + address + ": ";
    if (failure.getStatus().getCode() == Status.Code.PERMISSION_DENIED) {
      throw new EnrolmentRefusedException(said + description, failure);
    }
    if (failure.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
      throw new IllegalArgumentException(description, failure);
    }
    List<Throwable> causes =
        Stream.iterate(failure.getCause(), Objects::nonNull, Throwable::getCause).toList();
    for (Throwable cause : causes) {
      if (cause instanceof OtherClusterException) {
        return new EnrolmentRefusedException(said + cause.getMessage(), failure);
      }
      if (cause instanceof CertificateException) {
        return new TrustException(said + cause.getMessage(), failure);
      }
    }
    String why = causes.isEmpty() ? description : String.valueOf(causes.getLast().getMessage());
    return new IOException(said + SystemCallFault.plain(why), failure);
  }

  private static IOException together(List<Exception> failures) throws TrustException {
    String text = String.join("; ", failures.stream().map(Exception::getMessage).toList());
    if (!failures.isEmpty()
        && failures.stream().allMatch(EnrolmentRefusedException.class::isInstance)) {
      throw new EnrolmentRefusedException(text, failures.getFirst());
    }
    if (!failures.isEmpty() && failures.stream().allMatch(TrustException.class::isInstance)) {
      throw new TrustException(text, failures.getFirst());
    }
    return new IOException(failures.isEmpty() ? "there is no server to ask" : text);
  }
}
