package fleet.chaos;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All that was asked of the cluster, and done to it. Safe for use by many threads. */
final class History {

  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Disturbance> disturbances = new CopyOnWriteArrayList<>();

  void add(Request request) {
    requests.add(request);
  }

  void add(Disturbance disturbance) {
    disturbances.add(disturbance);
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  List<Request> requestsOf(String unit) {
    return requests.stream().filter(request -> request.unit().equals(unit)).toList();
  }

  List<Disturbance> disturbances() {
    return List.copyOf(disturbances);
  }
}
