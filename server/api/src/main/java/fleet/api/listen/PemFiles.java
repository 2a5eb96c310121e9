package fleet.api.listen;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys, and says which file is wrong if one is. */
final class PemFiles {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  private PemFiles() {}

  static List<X509Certificate> certificates(Path file) throws ListenException {
    try {
      List<X509Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(read(file)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (certificates.isEmpty()) {
        throw new ListenException(file + " holds no certificate");
      }
      return certificates;
    } catch (CertificateException e) {
      throw new ListenException(file + " holds no readable certificates: " + e.getMessage(), e);
    }
  }

  static PrivateKey privateKey(Path file, X509Certificate certificate, Path certificateFile)
      throws ListenException {
    PrivateKey key = privateKey(file, certificate.getPublicKey().getAlgorithm());
    if (!belongsTo(key, certificate)) {
      throw new ListenException(file + " is not the key of the certificate in " + certificateFile);
    }
    return key;
  }

  private static PrivateKey privateKey(Path file, String algorithm) throws ListenException {
    Matcher block = BLOCK.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
    String other = "";
    while (block.find()) {
      String kind = block.group(1);
      if (kind.equals("PRIVATE KEY")) {
        return decode(file, algorithm, block.group(2));
      }
      if (kind.endsWith("PRIVATE KEY")) {
        other = kind;
      }
    }
    if (other.isEmpty()) {
      throw new ListenException(file + " holds no private key");
    }
    throw new ListenException(
        file
            + " holds a key of the kind \""
            + other
            + "\": convert it with openssl pkcs8 -topk8 -nocrypt -in "
            + file
            + " -out NEW");
  }

  private static PrivateKey decode(Path file, String algorithm, String base64)
      throws ListenException {
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(base64);
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new ListenException(
          file + " holds no readable " + algorithm + " key: " + e.getMessage(), e);
    }
  }

  private static boolean belongsTo(PrivateKey key, X509Certificate certificate)
      throws ListenException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    try {
      byte[] message = {1, 2, 3};
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(message);
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(certificate.getPublicKey());
      verifier.update(message);
      return verifier.verify(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new ListenException(
          "keys of the kind " + key.getAlgorithm() + " do not work: " + e.getMessage(), e);
    }
  }

  private static byte[] read(Path file) throws ListenException {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new ListenException("there is no file " + file, e);
    } catch (IOException e) {
      throw new ListenException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }
}
