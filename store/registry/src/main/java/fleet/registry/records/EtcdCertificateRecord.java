package fleet.registry.records;

import fleet.registry.Entry;
import java.time.Instant;

/**
 * The value of {@code etcd-certificate/<name>}: a certificate that was made for a member of etcd,
 * with one for fleetd. Neither is kept.
 *
 * @param ends when both do
 * @param by who asked for it
 */
public record EtcdCertificateRecord(Instant ends, String by, UnknownFields unknown) {

  public EtcdCertificateRecord(Instant ends, String by) {
    this(ends, by, UnknownFields.NONE);
  }

  public static EtcdCertificateRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new EtcdCertificateRecord(fields.instant("ends"), fields.text("by"), fields.rest());
  }

  public String json() {
    return new FieldWriter().put("ends", ends).put("by", by).render(unknown);
  }
}
