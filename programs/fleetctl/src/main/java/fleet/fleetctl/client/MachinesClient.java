package fleet.fleetctl.client;

import fleet.entities.AuthoritiesEntity;
import fleet.entities.EtcdCertificatesEntity;
import fleet.entities.MachineEntity;
import fleet.entities.MachinePageEntity;
import fleet.entities.MaintenanceEntity;
import fleet.entities.MetadataOperationEntity;
import fleet.entities.MetadataPatchEntity;
import fleet.entities.ReadmissionEntity;
import fleet.entities.TokenEntity;
import fleet.entities.TokenPageEntity;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machines of the cluster, their tokens and certificates. Safe for use by many threads; every
 * call throws {@link FleetException} if fleetd cannot be reached or refuses, or does not know the
 * resource.
 */
public final class MachinesClient {

  private static final String MACHINES = ApiCalls.PREFIX + "/machines";

  private static final String TOKENS = ApiCalls.PREFIX + "/tokens";
  private static final String CA = ApiCalls.PREFIX + "/ca";
  private static final String WITHOUT_REMOVALS = "cannot remove machines";
  private static final String WITHOUT_MAINTENANCE = "knows no maintenance of machines";
  private static final String WITHOUT_TOKENS = "knows no join tokens";
  private static final String WITHOUT_ROTATION = "cannot replace the authority";

  private final ApiCalls calls;

  MachinesClient(ApiCalls calls) {
    this.calls = calls;
  }

  static String path(String machine) {
    return MACHINES + "/" + HttpRequest.escape(machine);
  }

  public List<MachineEntity> list() throws FleetException {
    return list("");
  }

  /** With those that are lost or have left; an older fleetd leaves them out. */
  public List<MachineEntity> listAll() throws FleetException {
    return list("all=1");
  }

  private List<MachineEntity> list(String filter) throws FleetException {
    List<MachineEntity> all = new ArrayList<>();
    calls.pages(
        MachinePageEntity.class,
        MACHINES,
        filter,
        MachinePageEntity::nextPageToken,
        page -> all.addAll(page.machines()));
    return all;
  }

  /** Cordons or uncordons a machine; false if nothing changes. */
  public boolean cordon(String machine, boolean cordoned) throws FleetException {
    String path = path(machine) + (cordoned ? "/cordon" : "/uncordon");
    return calls.order(HttpRequest.of("POST", path), "cannot cordon machines").status() == 204;
  }

  /**
   * Begins the maintenance of a machine, or moves its end.
   *
   * @param time how long from now; null for what fleetd finds usual
   */
  public MaintenanceEntity maintain(String machine, @Nullable Duration time) throws FleetException {
    String query = time == null ? "" : "?for=" + time.toSeconds() + "s";
    HttpRequest request = HttpRequest.of("POST", path(machine) + "/maintenance" + query);
    return calls.read(MaintenanceEntity.class, calls.order(request, WITHOUT_MAINTENANCE));
  }

  /** Ends the maintenance of a machine; false if it is in none. */
  public boolean endMaintenance(String machine) throws FleetException {
    HttpRequest request = HttpRequest.of("DELETE", path(machine) + "/maintenance");
    return calls.order(request, WITHOUT_MAINTENANCE).status() == 204;
  }

  /** Changes metadata of machines; the changes of one machine come all at once. */
  public void label(List<MetadataOperationEntity> changes) throws FleetException {
    calls.expectSuccess(
        calls.call(calls.json("PATCH", MACHINES, new MetadataPatchEntity(changes))));
  }

  /** Removes a machine from the cluster; false if it was removed before. */
  public boolean remove(String machine) throws FleetException {
    HttpRequest request = HttpRequest.of("POST", path(machine) + "/remove");
    return calls.order(request, WITHOUT_REMOVALS).status() == 204;
  }

  /**
   * Lets a machine join once more with another key.
   *
   * @return until when
   */
  public String readmit(String machine) throws FleetException {
    HttpRequest request = HttpRequest.of("POST", path(machine) + "/readmit");
    HttpAnswer answer = calls.call(request, WITHOUT_REMOVALS);
    return calls.read(ReadmissionEntity.class, answer).until();
  }

  // ---- join tokens

  /** Makes a join token out of {@link TokenEntity#wanted}. */
  public TokenEntity createToken(TokenEntity wish) throws FleetException {
    HttpRequest request = calls.json("POST", TOKENS, wish);
    return calls.read(TokenEntity.class, calls.call(request, WITHOUT_TOKENS));
  }

  /** All join tokens, without their secrets. */
  public List<TokenEntity> tokens() throws FleetException {
    HttpAnswer answer = calls.call(HttpRequest.get(TOKENS), WITHOUT_TOKENS);
    return calls.read(TokenPageEntity.class, answer).tokens();
  }

  /** Revokes a join token; false if there is none with that id. */
  public boolean revokeToken(String id) throws FleetException {
    return calls.delete(TOKENS + "/" + HttpRequest.escape(id), WITHOUT_TOKENS);
  }

  // ---- authorities

  /** The status of the cluster's authority. */
  public AuthoritiesEntity authorities() throws FleetException {
    return authorities(HttpRequest.get(CA));
  }

  /**
   * Begins to replace the authority, or continues.
   *
   * @param finish whether not to wait for absent machines
   */
  public AuthoritiesEntity rotateAuthority(boolean finish) throws FleetException {
    return authorities(HttpRequest.of("POST", CA + (finish ? "?finish=1" : "")));
  }

  private AuthoritiesEntity authorities(HttpRequest request) throws FleetException {
    return calls.read(AuthoritiesEntity.class, calls.call(request, WITHOUT_ROTATION));
  }

  /** Makes certificates for a member of etcd that is reached by these names. */
  public EtcdCertificatesEntity certifyEtcd(List<String> names) throws FleetException {
    var asked = EtcdCertificatesEntity.wanted(names);
    HttpRequest request = calls.json("POST", ApiCalls.PREFIX + "/etcd-certificates", asked);
    return calls.read(
        EtcdCertificatesEntity.class, calls.call(request, "cannot make certificates for etcd"));
  }
}
