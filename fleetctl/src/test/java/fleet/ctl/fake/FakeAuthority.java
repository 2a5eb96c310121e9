package fleet.ctl.fake;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * The authority of a cluster, by keytool, and servers that show certificates of it. keytool also
 * checks that requests are proper ones.
 */
public final class FakeAuthority {

  private static final String PASSWORD = "secret";
  private static final String CA = "ca";
  private static final String SERVER = "server";

  private final Path directory;

  /**
   * Makes one, with a server that is called what is said.
   *
   * @param subject of the server's certificate
   * @param start when that begins, as keytool has it, such as {@code -1d}
   */
  public FakeAuthority(Path directory, String subject, String start) throws Exception {
    this.directory = Files.createDirectories(directory);
    String name = "CN=cluster %08x,O=fleet".formatted(new SecureRandom().nextInt());
    pair(CA, name, "-ext", "bc:c=ca:true,pathlen:0");
    pair(SERVER, subject);
    Path request = directory.resolve("server.csr");
    keytool("-certreq", "-alias", SERVER, "-file", request.toString());
    Path certificate = certify(request, subject, "serverAuth,clientAuth", start, 30);
    keytool("-importcert", "-alias", SERVER, "-noprompt", "-file", certificate.toString());
  }

  private void pair(String alias, String subject, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                subject,
                "-startdate",
                "-2d"));
    words.addAll(List.of(more));
    keytool(words.toArray(String[]::new));
  }

  private Path certify(Path request, String subject, String purposes, String start, int days)
      throws Exception {
    Path certificate = request.resolveSibling(request.getFileName() + ".crt");
    keytool(
        "-gencert",
        "-rfc",
        "-alias",
        CA,
        "-dname",
        subject,
        "-ext",
        "eku=" + purposes,
        "-startdate",
        start,
        "-validity",
        String.valueOf(days),
        "-infile",
        request.toString(),
        "-outfile",
        certificate.toString());
    return certificate;
  }

  private void keytool(String... words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.addAll(List.of(words));
    command.addAll(
        List.of("-keystore", directory.resolve("store.p12").toString(), "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(output);
    }
  }

  private KeyStore store() throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(directory.resolve("store.p12").toFile(), PASSWORD.toCharArray());
  }

  /** What codes name it by. */
  public String sha256() throws Exception {
    byte[] der = store().getCertificate(CA).getEncoded();
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
  }

  /** Its certificate. */
  public String pem() throws Exception {
    return pem(store().getCertificate(CA).getEncoded());
  }

  private static String pem(byte[] der) {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END CERTIFICATE-----\n";
  }

  /**
   * The certificate of a person.
   *
   * @param request PKCS#10 in base64
   * @param start when it begins, as keytool has it
   */
  public String person(String name, String request, String start, int days) throws Exception {
    Path file = Files.createTempFile(directory, "person", ".csr");
    Files.writeString(
        file,
        "-----BEGIN NEW CERTIFICATE REQUEST-----\n"
            + request
            + "\n-----END NEW CERTIFICATE REQUEST-----\n");
    Path certificate =
        certify(file, "CN=" + name + ",OU=person,O=fleet", "clientAuth", start, days);
    String text = Files.readString(certificate, US_ASCII);
    // keytool puts the authority behind it.
    String end = "-----END CERTIFICATE-----";
    return text.substring(0, text.indexOf(end) + end.length()) + "\n";
  }

  /** The certificate of another authority as this one vouches for it. */
  public X509Certificate crossSigned(FakeAuthority next) throws Exception {
    Path request = directory.resolve("next.csr");
    Path certificate = directory.resolve("next.crt");
    next.keytool("-certreq", "-alias", CA, "-file", request.toString());
    keytool(
        "-gencert",
        "-rfc",
        "-alias",
        CA,
        "-ext",
        "bc:c=ca:true,pathlen:0",
        "-ext",
        "ku:c=keyCertSign",
        "-startdate",
        "-1d",
        "-infile",
        request.toString(),
        "-outfile",
        certificate.toString());
    try (InputStream in = Files.newInputStream(certificate)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  /**
   * Answers requests over TLS, one a connection.
   *
   * @param more certificates to show behind the server's own chain
   */
  public Server serve(FakeHttpServer.Handler handler, X509Certificate... more) throws Exception {
    return new Server(handler, more);
  }

  /** A server of the cluster that takes any certificate, or none. */
  public final class Server implements AutoCloseable {

    private final FakeHttpServer.Handler handler;
    private final SSLServerSocket socket;

    /** The subjects of those who asked; empty of one without a certificate. */
    public final List<String> callers = new CopyOnWriteArrayList<>();

    private Server(FakeHttpServer.Handler handler, X509Certificate... more) throws Exception {
      this.handler = handler;
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      List<Certificate> chain = new ArrayList<>(List.of(store().getCertificateChain(SERVER)));
      chain.addAll(List.of(more));
      own.setKeyEntry(
          SERVER,
          store().getKey(SERVER, PASSWORD.toCharArray()),
          PASSWORD.toCharArray(),
          chain.toArray(Certificate[]::new));
      keys.init(own, PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), new TrustManager[] {new AnyClient()}, null);
      socket =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
      socket.setWantClientAuth(true);
      Thread.ofVirtual().start(this::accept);
    }

    public int port() {
      return socket.getLocalPort();
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          SSLSocket client = (SSLSocket) socket.accept();
          Thread.ofVirtual().start(() -> answer(client));
        } catch (IOException closed) {
          return;
        }
      }
    }

    private void answer(SSLSocket client) {
      try (client) {
        InputStream in = new BufferedInputStream(client.getInputStream());
        FakeHttpServer.Request request = FakeHttpServer.read(in);
        callers.add(caller(client));
        OutputStream out = client.getOutputStream();
        boolean _ = handler.handle(request, out);
        out.flush();
      } catch (IOException refused) {
        // The client does not believe this server.
        return;
      }
    }

    private static String caller(SSLSocket client) {
      try {
        return client.getSession().getPeerPrincipal().getName();
      } catch (SSLPeerUnverifiedException e) {
        return "";
      }
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class AnyClient implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      // Whose it is: see Server.callers.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      throw new UnsupportedOperationException();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
