package fleet.rpc.enrol;

import fleet.rpc.Methods;
import fleet.rpc.v1.CreateToken;
import fleet.rpc.v1.CreatedToken;
import fleet.rpc.v1.ListTokens;
import fleet.rpc.v1.RevokeToken;
import fleet.rpc.v1.RevokedToken;
import fleet.rpc.v1.TokenList;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;

/** The methods of the service JoinTokens. */
final class TokenMethods {

  static final MethodDescriptor<CreateToken, CreatedToken> CREATE =
      Methods.method(
          MethodType.UNARY,
          "JoinTokens",
          "Create",
          CreateToken.getDefaultInstance(),
          CreatedToken.getDefaultInstance());

  static final MethodDescriptor<ListTokens, TokenList> LIST =
      Methods.method(
          MethodType.UNARY,
          "JoinTokens",
          "List",
          ListTokens.getDefaultInstance(),
          TokenList.getDefaultInstance());

  static final MethodDescriptor<RevokeToken, RevokedToken> REVOKE =
      Methods.method(
          MethodType.UNARY,
          "JoinTokens",
          "Revoke",
          RevokeToken.getDefaultInstance(),
          RevokedToken.getDefaultInstance());

  private TokenMethods() {}
}
