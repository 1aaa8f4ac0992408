package dev.shardwright.topology.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileTopologyStoreIT extends TopologyStoreContract {

    @TempDir
    Path directory;

    @Override
    TopologyStore open() {
        return new FileTopologyStore(directory.resolve("topology.json"), "chat");
    }

    @Override
    void overwrite(String text) throws IOException {
        Files.writeString(directory.resolve("topology.json"), text);
    }

    @Override
    void delete() throws IOException {
        Files.delete(directory.resolve("topology.json"));
    }
}
