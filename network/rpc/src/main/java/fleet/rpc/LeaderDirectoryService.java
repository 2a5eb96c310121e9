package fleet.rpc;

import fleet.rpc.v1.Leader;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import java.util.function.Supplier;

/** The gRPC service that says who leads. */
public final class LeaderDirectoryService {

  private LeaderDirectoryService() {}

  /**
   * The service.
   *
   * @param leader asked for each call; may wait; an empty message if nobody leads
   */
  public static ServerServiceDefinition service(Supplier<Leader> leader) {
    return ServerServiceDefinition.builder("fleet.rpc.v1.Directory")
        .addMethod(
            Methods.directoryAsk(),
            ServerCalls.asyncUnaryCall((_, answer) -> {
              answer.onNext(leader.get());
              answer.onCompleted();
            }))
        .build();
  }
}
