package fleet.rpc.enrol;

import fleet.rpc.Methods;
import fleet.rpc.v1.AuthorityList;
import fleet.rpc.v1.Certificates;
import fleet.rpc.v1.EnrolRequest;
import fleet.rpc.v1.RenewRequest;
import fleet.rpc.v1.TrustReport;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;

/** The methods of the service Enrolment. */
final class EnrolmentMethods {

  static final MethodDescriptor<EnrolRequest, Certificates> ENROL =
      Methods.method(
          MethodType.UNARY,
          "Enrolment",
          "Enrol",
          EnrolRequest.getDefaultInstance(),
          Certificates.getDefaultInstance());

  static final MethodDescriptor<RenewRequest, Certificates> RENEW =
      Methods.method(
          MethodType.UNARY,
          "Enrolment",
          "Renew",
          RenewRequest.getDefaultInstance(),
          Certificates.getDefaultInstance());

  static final MethodDescriptor<TrustReport, AuthorityList> REPORT_TRUST =
      Methods.method(
          MethodType.UNARY,
          "Enrolment",
          "ReportTrust",
          TrustReport.getDefaultInstance(),
          AuthorityList.getDefaultInstance());

  private EnrolmentMethods() {}
}
