package fleet.rpc.enrol;

import fleet.cluster.Caller;
import fleet.cluster.JoinTokens;
import fleet.cluster.NewJoinToken;
import fleet.core.machine.Role;
import fleet.rpc.RpcPeer;
import fleet.rpc.v1.CreateToken;
import fleet.rpc.v1.CreatedToken;
import fleet.rpc.v1.ListTokens;
import fleet.rpc.v1.RevokeToken;
import fleet.rpc.v1.RevokedToken;
import fleet.rpc.v1.TokenList;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.function.Supplier;

/** Serves join tokens to machines without a registry. Calls block their thread. */
public final class JoinTokensService implements BindableService {

  private final JoinTokens tokens;

  public JoinTokensService(JoinTokens tokens) {
    this.tokens = tokens;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder("fleet.rpc.v1.JoinTokens")
        .addMethod(TokenMethods.CREATE, ServerCalls.asyncUnaryCall(this::create))
        .addMethod(TokenMethods.LIST, ServerCalls.asyncUnaryCall(this::list))
        .addMethod(TokenMethods.REVOKE, ServerCalls.asyncUnaryCall(this::revoke))
        .build();
  }

  private void create(CreateToken asked, StreamObserver<CreatedToken> answer) {
    answer(
        answer,
        () -> {
          Role role = TokenMessages.role(asked.getRole());
          refuseMoreThanTheCallerIs(role);
          NewJoinToken made =
              tokens.create(
                  role, Duration.ofSeconds(asked.getLifeSeconds()), caller(asked.getCaller()));
          return CreatedToken.newBuilder()
              .setToken(TokenMessages.of(made.token()))
              .setText(made.text())
              .build();
        });
  }

  private void list(ListTokens asked, StreamObserver<TokenList> answer) {
    answer(
        answer,
        () ->
            TokenList.newBuilder()
                .addAllTokens(tokens.list().stream().map(TokenMessages::of).toList())
                .build());
  }

  private void revoke(RevokeToken asked, StreamObserver<RevokedToken> answer) {
    answer(
        answer,
        () ->
            RevokedToken.newBuilder()
                .setFound(tokens.revoke(asked.getId(), caller(asked.getCaller())))
                .build());
  }

  /** A machine that only runs units must not become one that others obey. */
  private static void refuseMoreThanTheCallerIs(Role role) {
    if (role == Role.SERVER && RpcPeer.current().map(peer -> !peer.server()).orElse(false)) {
      throw new IllegalArgumentException(
          "tokens for servers are made on servers, and this machine is none");
    }
  }

  private static Caller caller(String name) {
    return new Caller(RpcPeer.current().map(peer -> name + " on " + peer.machine()).orElse(name));
  }

  private static <A> void answer(StreamObserver<A> answer, Supplier<A> call) {
    try {
      answer.onNext(call.get());
      answer.onCompleted();
    } catch (IllegalArgumentException e) {
      answer.onError(Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
    } catch (RuntimeException e) {
      answer.onError(Status.UNAVAILABLE.withDescription(e.getMessage()).asRuntimeException());
    }
  }
}
