package fleet.engine.state;

import fleet.core.unit.Incarnation;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.Transaction;
import fleet.registry.records.Keys;
import fleet.registry.records.SealRecord;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells incarnations that this cluster made from invented ones, without a record of former ones:
 * each ends in a MAC of its unit and itself. Immutable.
 */
public final class IncarnationSeal {

  /** Makes and accepts no seal: the cluster has no secret yet. */
  public static final IncarnationSeal NONE = new IncarnationSeal(new byte[0]);

  private static final String ALGORITHM = "HmacSHA256";

  /** A machine would have to guess the seal in the leader's presence, one report a try. */
  private static final int BYTES = 9;

  private final byte[] secret;

  private IncarnationSeal(byte[] secret) {
    this.secret = secret;
  }

  /**
   * The seal of a stored secret.
   *
   * @param entry the key {@code seal}
   */
  public static IncarnationSeal of(Entry entry) {
    return new IncarnationSeal(SealRecord.of(entry).secret().getBytes(StandardCharsets.UTF_8));
  }

  /** The seal of the registry; {@link #NONE} if it has none. */
  public static IncarnationSeal of(Optional<Entry> entry) {
    return entry.map(IncarnationSeal::of).orElse(NONE);
  }

  /**
   * Gives the registry a secret if it has none.
   *
   * @param ids makes an id that nobody can guess at each call
   * @throws fleet.registry.RegistryException if the registry does not answer
   */
  public static void provide(Registry registry, Supplier<String> ids) {
    if (registry.get(Keys.SEAL).isEmpty()) {
      String secret = ids.get() + ids.get();
      var _ =
          registry.commit(
              Transaction.when()
                  .absent(Keys.SEAL)
                  .put(Keys.SEAL, new SealRecord(secret).json())
                  .build());
    }
  }

  /** The same incarnation of the unit, sealed. */
  public Incarnation seal(UnitName unit, Incarnation incarnation) {
    return secret.length == 0
        ? incarnation
        : new Incarnation(incarnation.id() + "." + mac(unit, incarnation.id()));
  }

  /** Whether the incarnation was made here, for this unit. */
  public boolean isOn(UnitName unit, Incarnation incarnation) {
    int dot = incarnation.id().lastIndexOf('.');
    if (secret.length == 0 || dot < 0) {
      return false;
    }
    String mac = mac(unit, incarnation.id().substring(0, dot));
    return MessageDigest.isEqual(
        mac.getBytes(StandardCharsets.UTF_8),
        incarnation.id().substring(dot + 1).getBytes(StandardCharsets.UTF_8));
  }

  private String mac(UnitName unit, String id) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      byte[] whole = mac.doFinal((unit.value() + "\n" + id).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }
}
