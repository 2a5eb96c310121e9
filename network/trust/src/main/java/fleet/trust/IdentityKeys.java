package fleet.trust;

import java.math.BigInteger;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the identity that this machine has at that moment. A handshake that began with the former
 * one ends with it.
 */
final class IdentityKeys extends X509ExtendedKeyManager {

  private static final String KEY_TYPE = "EC";

  private final OwnIdentity own;

  IdentityKeys(OwnIdentity own) {
    this.own = own;
  }

  private @Nullable String alias(String... keyTypes) {
    return Stream.of(keyTypes).anyMatch(type -> type.startsWith(KEY_TYPE))
        ? own.get().certificate().getSerialNumber().toString()
        : null;
  }

  private Identity named(String alias) {
    return own.withSerial(new BigInteger(alias));
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return named(alias).key();
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return named(alias).chain();
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  private String @Nullable [] aliases(String keyType) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }
}
