package fleet.rpc.enrol;

import com.google.protobuf.ByteString;
import fleet.core.machine.HostPort;
import fleet.rpc.secure.RpcTls;
import fleet.rpc.v1.AuthorityList;
import fleet.rpc.v1.Certificates;
import fleet.rpc.v1.EnrolRequest;
import fleet.rpc.v1.RenewRequest;
import fleet.rpc.v1.TrustReport;
import fleet.trust.Authorities;
import fleet.trust.CertificateRequest;
import fleet.trust.Fingerprint;
import fleet.trust.Identity;
import fleet.trust.IssuedCertificate;
import fleet.trust.Issuer;
import fleet.trust.OwnIdentity;
import fleet.trust.TokenText;
import fleet.trust.TrustException;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Servers issue certificates for a machine without a registry. */
public final class RemoteIssuers {

  private RemoteIssuers() {}

  /**
   * For a machine that is about to join.
   *
   * @param servers to ask, in this order
   */
  public static Issuer joining(
      TokenText token, String machine, List<HostPort> servers, Clock clock) {
    EnrolmentServers asked =
        new EnrolmentServers(servers, EnrolmentServers.with(RpcTls.joining(token, clock)));
    return request ->
        checked(
            token,
            certified(
                asked.ask(
                    EnrolmentMethods.ENROL,
                    EnrolRequest.newBuilder()
                        .setToken(token.id())
                        .setSecret(token.secret())
                        .setMachine(machine)
                        .setRequest(ByteString.copyFrom(request.der()))
                        .build())));
  }

  private static IssuedCertificate checked(TokenText token, IssuedCertificate certified)
      throws TrustException {
    if (!Fingerprint.of(certified.authority()).equals(token.authority())) {
      throw new TrustException("the server answers with another authority than it has shown");
    }
    return certified;
  }

  /**
   * For a machine that has joined.
   *
   * @param servers to ask, in this order
   */
  public static Issuer renewing(OwnIdentity own, Supplier<List<HostPort>> servers) {
    return new Renewing(own, servers);
  }

  private record Renewing(OwnIdentity own, Supplier<List<HostPort>> servers) implements Issuer {

    @Override
    public IssuedCertificate issue(CertificateRequest request) throws TrustException, IOException {
      return certified(
          asked(
              EnrolmentMethods.RENEW,
              RenewRequest.newBuilder().setRequest(ByteString.copyFrom(request.der())).build()));
    }

    @Override
    public Optional<Authorities> report(Identity identity) throws TrustException, IOException {
      AuthorityList list =
          asked(
              EnrolmentMethods.REPORT_TRUST,
              TrustReport.newBuilder()
                  .setAuthority(identity.authorityFingerprint().sha256())
                  .addAllTrusts(
                      identity.trusted().stream()
                          .map(Fingerprint::of)
                          .map(Fingerprint::sha256)
                          .toList())
                  .setEnds(identity.expires().getEpochSecond())
                  .build());
      return Optional.of(authorities(list));
    }

    private <Q, A> A asked(MethodDescriptor<Q, A> method, Q question)
        throws TrustException, IOException {
      return new EnrolmentServers(servers.get(), EnrolmentServers.with(RpcTls.mutual(own).client()))
          .ask(method, question);
    }
  }

  private static IssuedCertificate certified(Certificates answer) throws TrustException {
    return IssuedCertificate.of(
        answer.getCertificate().toByteArray(),
        authorities(
            AuthorityList.newBuilder()
                .setSigning(answer.getAuthority())
                .addAllOthers(answer.getOthersList())
                .setCrossSigned(answer.getCrossSigned())
                .addAllRemovedServers(answer.getRemovedServersList())
                .build()));
  }

  private static Authorities authorities(AuthorityList list) throws TrustException {
    return Authorities.of(
        list.getSigning().toByteArray(),
        list.getOthersList().stream().map(ByteString::toByteArray).toList(),
        list.getCrossSigned().toByteArray(),
        list.getRemovedServersList());
  }
}
