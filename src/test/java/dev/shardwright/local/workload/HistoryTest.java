package dev.shardwright.local.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private final List<String> heard = new ArrayList<>();

    private final History.Listener listener = new History.Listener() {
        @Override
        public void write(Operation operation, Outcome outcome) {
            heard.add(operation.encode() + " -> " + outcome.getClass().getSimpleName());
        }

        @Override
        public void anomaly(String text) {
            heard.add(text);
        }
    };

    @Test
    void everyOperationCanBeWrittenAndReadAgain() {
        Stream.of(
                        new Operation.PutMessage(1, 2),
                        new Operation.EditMessage(1, 2, 3),
                        new Operation.DropMessage(1, 2),
                        new Operation.PutLookup(1, 2),
                        new Operation.DropLookup(1),
                        new Operation.PutPair(1, 2, 3),
                        new Operation.Transfer(1, 2, 3, 4))
                .forEach(operation ->
                        assertThat(Operation.decode(operation.encode())).isEqualTo(operation));
    }

    @Test
    void anOperationWithoutOutcomeIsUnknown() {
        History.read(
                Stream.of("1 intend put 7 3", "1 acknowledged 1", "2 intend drop 7 3", "0 anomaly odd answer"),
                listener);

        assertThat(heard).containsExactly("put 7 3 -> Acknowledged", "odd answer", "drop 7 3 -> Unknown");
    }

    @Test
    void anOutcomeWithoutIntentionIsNoHistory() {
        assertThatThrownBy(() -> History.read(Stream.of("1 failed 1290 read only"), listener))
                .hasMessageContaining("without its intention");
    }
}
