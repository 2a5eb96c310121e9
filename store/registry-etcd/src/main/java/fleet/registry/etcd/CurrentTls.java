package fleet.registry.etcd;

import fleet.registry.RegistryException;
import io.grpc.netty.GrpcSslContexts;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each new connection the present certificates on the disk, since they are renewed while
 * fleetd runs. If those cannot be used, it keeps the former ones. Safe for many threads.
 */
final class CurrentTls extends SslContext {

  private static final Logger log = LoggerFactory.getLogger(CurrentTls.class);

  /** A stamp that tells one content of a file from the next. */
  private record Stamp(Path file, FileTime modified, long size) {
    static Stamp of(Path file) {
      try {
        return new Stamp(file, Files.getLastModifiedTime(file), Files.size(file));
      } catch (IOException e) {
        return new Stamp(file, FileTime.fromMillis(0), -1);
      }
    }
  }

  private final EtcdOptions.Tls tls;
  private List<Stamp> stamps;
  private SslContext loaded;

  /**
   * Reads the files.
   *
   * @throws RegistryException if they cannot be used
   */
  CurrentTls(EtcdOptions.Tls tls) {
    this.tls = tls;
    this.stamps = stamps();
    this.loaded = load();
  }

  private List<Stamp> stamps() {
    return Stream.concat(
            tls.authority().stream(),
            tls.client().stream().flatMap(own -> Stream.of(own.certificate(), own.key())))
        .map(Stamp::of)
        .toList();
  }

  private SslContext load() {
    try {
      SslContextBuilder builder =
          GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
      tls.authority().ifPresent(file -> builder.trustManager(file.toFile()));
      tls.client()
          .ifPresent(own -> builder.keyManager(own.certificate().toFile(), own.key().toFile()));
      return builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new RegistryException(
          ("cannot use the TLS files for etcd (%s): %s; they are PEM, and the key is PKCS#8 without"
                  + " a password (openssl pkcs8 -topk8 -nocrypt makes it so)")
              .formatted(tls, e.getMessage()),
          e);
    }
  }

  private synchronized SslContext current() {
    List<Stamp> now = stamps();
    if (!now.equals(stamps)) {
      stamps = now;
      try {
        loaded = load();
        log.info("registry: new TLS files for etcd are used from now on");
      } catch (RegistryException e) {
        log.warn("registry: TLS goes on with the files as they were: {}", e.getMessage());
      }
    }
    return loaded;
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return current().newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
    return current().newEngine(allocator, host, port);
  }

  @Override
  public boolean isClient() {
    return true;
  }

  @Override
  public List<String> cipherSuites() {
    return current().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // Netty's own interface has it.
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return current().applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return current().sessionContext();
  }
}
