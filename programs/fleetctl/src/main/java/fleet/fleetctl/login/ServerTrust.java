package fleet.fleetctl.login;

import fleet.fleetctl.http.ServerVerifier;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * Trusts servers of one cluster, by its authority. Names and addresses are not checked:
 * certificates of servers have neither.
 */
abstract class ServerTrust extends ServerVerifier {

  private static final String SERVER = ",OU=server,O=fleet";
  private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";

  /** The index of an authority's key usage in {@link X509Certificate#getKeyUsage}. */
  private static final int SIGNS_CERTIFICATES = 5;

  private final Clock clock;

  /** Whether the server's authority was cross-signed by a trusted one. */
  boolean succeeded;

  ServerTrust(Clock clock) {
    this.clock = clock;
  }

  /** Those of the authority that a code names. */
  static ServerTrust pinned(String authoritySha256, Clock clock) {
    return new ServerTrust(clock) {
      @Override
      X509Certificate signer(X509Certificate[] chain) throws CertificateException {
        for (X509Certificate shown : chain) {
          if (sha256(shown).equals(authoritySha256)) {
            return shown;
          }
        }
        throw new CertificateException("the server is not of the cluster that the code is of");
      }
    };
  }

  /** Those of any of some authorities. */
  static ServerTrust of(List<X509Certificate> authorities, Clock clock) {
    return new ServerTrust(clock) {
      @Override
      X509Certificate signer(X509Certificate[] chain) throws CertificateException {
        for (X509Certificate authority : authorities) {
          if (isSigned(chain[0], authority)) {
            return authority;
          }
          // The next authority, while servers pass from one to the other.
          for (X509Certificate shown : List.of(chain).subList(1, chain.length)) {
            if (isAuthority(shown) && isSigned(shown, authority) && isSigned(chain[0], shown)) {
              succeeded = true;
              return shown;
            }
          }
        }
        throw new CertificateException(
            "the server is not of the cluster that this context is of, or that has another authority by"
                + " now: if so, have yourself invited again");
      }
    };
  }

  /** Whether the authority is being replaced: the next certificate is to be by the new one. */
  boolean isSucceeded() {
    return succeeded;
  }

  abstract X509Certificate signer(X509Certificate[] chain) throws CertificateException;

  private static boolean isAuthority(X509Certificate certificate) {
    boolean[] usage = certificate.getKeyUsage();
    return certificate.getBasicConstraints() >= 0 && usage != null && usage[SIGNS_CERTIFICATES];
  }

  private static boolean isSigned(X509Certificate certificate, X509Certificate by) {
    try {
      certificate.verify(by.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String sha256(X509Certificate certificate) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
    } catch (CertificateEncodingException e) {
      return "";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    X509Certificate server = chain[0];
    if (!isSigned(server, signer(chain))) {
      throw new CertificateException("the server's certificate is not by its cluster's authority");
    }
    String subject = server.getSubjectX500Principal().getName();
    List<String> purposes = server.getExtendedKeyUsage();
    if (!subject.endsWith(SERVER)
        || purposes == null
        || !purposes.contains(SERVER_AUTHENTICATION)) {
      throw new CertificateException(subject + " of the cluster is not a server of it");
    }
    Instant now = clock.instant();
    Instant from = server.getNotBefore().toInstant();
    Instant until = server.getNotAfter().toInstant();
    if (now.isBefore(from) || now.isAfter(until)) {
      throw new CertificateException(
          "the server's certificate is good from %s until %s, and here it is %s: check the clocks"
              .formatted(from, until, now));
    }
  }
}
