package fleet.fleetctl.client;

import fleet.entities.AccessCheckEntity;
import fleet.entities.GrantEntity;
import fleet.entities.GrantsEntity;
import fleet.entities.InvitationEntity;
import fleet.entities.SettingEntity;
import fleet.entities.SettingsEntity;
import fleet.fleetctl.http.HttpAnswer;
import fleet.fleetctl.http.HttpRequest;
import java.util.List;

/**
 * Calls for access grants and for the settings of the whole cluster. Safe for use by many threads;
 * every call throws {@link FleetException} if fleetd cannot be reached or refuses, or does not know
 * the resource.
 */
public final class AccessClient {

  private static final String ACCESS = ApiCalls.PREFIX + "/access";
  private static final String CONFIG = ApiCalls.PREFIX + "/config";
  private static final String WITHOUT_GRANTS = "knows no grants";
  private static final String WITHOUT_SETTINGS = "has no such settings";

  private final ApiCalls calls;

  AccessClient(ApiCalls calls) {
    this.calls = calls;
  }

  /** All grants. */
  public List<GrantEntity> grants() throws FleetException {
    HttpAnswer answer = calls.call(HttpRequest.get(ACCESS), WITHOUT_GRANTS);
    return calls.read(GrantsEntity.class, answer).grants();
  }

  /** Gives a role, which replaces the subject's former one. */
  public void grant(String subject, GrantEntity grant) throws FleetException {
    calls.order(calls.json("PUT", path(subject), grant), WITHOUT_GRANTS);
  }

  /** Invites a person to log in, out of {@link InvitationEntity#wanted}. */
  public InvitationEntity invite(String person, InvitationEntity wish) throws FleetException {
    HttpRequest request = calls.json("POST", path(person) + "/invite", wish);
    return calls.read(InvitationEntity.class, calls.call(request, "lets nobody log in"));
  }

  /** Takes a role away; false if the subject has none. */
  public boolean revoke(String subject) throws FleetException {
    return calls.delete(path(subject), WITHOUT_GRANTS);
  }

  /** Whether a subject may do something. */
  public AccessCheckEntity check(AccessCheckEntity question) throws FleetException {
    HttpRequest request = calls.json("POST", ACCESS + "/check", question);
    return calls.read(AccessCheckEntity.class, calls.call(request, WITHOUT_GRANTS));
  }

  private static String path(String subject) {
    return ACCESS + "/" + HttpRequest.escape(subject);
  }

  // ---- settings

  /** The settings of the whole cluster. */
  public List<SettingEntity> settings() throws FleetException {
    HttpAnswer answer = calls.call(HttpRequest.get(CONFIG), WITHOUT_SETTINGS);
    return calls.read(SettingsEntity.class, answer).settings();
  }

  /** One setting of the whole cluster. */
  public SettingEntity setting(String name) throws FleetException {
    HttpRequest request = HttpRequest.get(settingPath(name));
    return calls.read(SettingEntity.class, calls.call(request, WITHOUT_SETTINGS));
  }

  /** Changes a setting of the whole cluster. */
  public void set(String name, String value) throws FleetException {
    HttpRequest request = calls.json("PUT", settingPath(name), SettingEntity.wanted(value));
    calls.order(request, WITHOUT_SETTINGS);
  }

  /** Gives a setting of the whole cluster its default back. */
  public void unset(String name) throws FleetException {
    HttpRequest request = HttpRequest.of("DELETE", settingPath(name));
    calls.order(request, "cannot unset settings");
  }

  private static String settingPath(String name) {
    return CONFIG + "/" + HttpRequest.escape(name);
  }
}
