package fleet.api;

import java.util.List;
import java.util.Optional;

/** One page of a list, with the token of the next if this one is full. */
record Page<T>(List<T> items, Optional<String> nextToken) {

  static <T> Page<T> of(List<T> all, PageToken token) {
    long from = Math.min((long) token.limit() * (token.page() - 1), all.size());
    long to = Math.min(from + token.limit(), all.size());
    boolean full = to - from == token.limit() && token.page() < PageToken.MAX;
    return new Page<>(
        all.subList((int) from, (int) to),
        full ? Optional.of(token.next().encode()) : Optional.empty());
  }
}
